// A pool of workspaces: a query borrows one and returns it when its answer is complete, so that two queries never write
// to the same arrays, and arrays as long as a site has posts are not allocated for each query.
//
//   const pool = new WorkspacePool(() => new Workspace());
//   pool.use((workspace) => recommend(index, request, now, workspace));

export class WorkspacePool<W extends { release(): void }> {
  private readonly create: () => W;
  /** Workspaces that no query holds: one, as long as queries run one after another. */
  private readonly free: W[] = [];

  constructor(create: () => W) {
    this.create = create;
  }

  /** Runs a query with a workspace of its own. `work` returns nothing that lies in the workspace. */
  use<T>(work: (workspace: W) => T): T {
    const workspace = this.free.pop() ?? this.create();
    try {
      return work(workspace);
    } finally {
      workspace.release();
      this.free.push(workspace);
    }
  }
}
