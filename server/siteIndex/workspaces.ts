// Workspaces of the queries that the main thread answers: one pool for all sites, since their queries run one after
// another.
import { Workspace } from '../recommend/workspace.ts';
import { WorkspacePool } from '../recommend/workspacePool.ts';
import { SearchWorkspace } from '../search/workspace.ts';

export interface Workspaces {
  related: WorkspacePool<Workspace>;
  search: WorkspacePool<SearchWorkspace>;
}

export const createWorkspaces = (): Workspaces => ({
  related: new WorkspacePool(() => new Workspace()),
  search: new WorkspacePool(() => new SearchWorkspace()),
});
