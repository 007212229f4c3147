// Real ClickHouse servers for tests, one or a cluster, from the engine that is installed anyway: chdb's library can open ClickHouse's
// own HTTP and TCP ports. Needs nothing but npm packages.
//
//   const clickhouse = await startClickHouse(makeDataDir());
//   await startServer({ flags: ['--clickhouse-url', clickhouse.url] });
//   await clickhouse.kill();                   as a power cut would; clickhouse.startAgain() brings it back
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePorts } from './ports.ts';
import { until } from './until.ts';

export interface ClickHouse {
  /** With user, password and the database `afterword`, which exists. */
  url: string;
  pid: number;
  /** Asks it something, past everything of ours; the answer as tab-separated text. */
  ask(sql: string): Promise<string>;
  /** SIGKILL: nothing is finished, nothing is flushed. */
  kill(): Promise<void>;
  /** SIGSTOP: connections are taken and nothing is answered, as when a machine hangs. SIGCONT with `thaw`. */
  freeze(): void;
  thaw(): void;
  /** After a kill: the same data on the same ports. */
  startAgain(): Promise<ClickHouse>;
}

export interface Ports {
  http: number;
  /** The engine's own. */
  tcp: number;
  /** Where the other servers of its cluster knock: leads to `tcp`. */
  door: number;
}

export interface Cluster {
  name: string;
  nodes: ClickHouse[];
  /** Puts another server into the configuration of all, which start again. `order`: of the shards, by their places in `nodes` then. */
  grow(folder: string, order?: readonly number[]): Promise<Cluster>;
}

const USER = 'afterword';
const PASSWORD = 'p@ss/word: only for tests';
const CLUSTER = 'newsroom';
/** Settings of a statement: a test drops whatever it likes. */
const ANY_SIZE = 'max_table_size_to_drop=0&max_partition_size_to_drop=0';

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * One server; resolves when it answers.
 * @param folder Its data and configuration; the same folder again is the same database.
 */
export async function startClickHouse(folder: string): Promise<ClickHouse> {
  const [ports] = await portsOf(1);
  return await startNode(folder, { ports: ports!, shards: [] });
}

/**
 * A cluster of one shard, kept by one server a folder: copies of each other, as far as the library goes.
 * @param keeper `host:port` of a ClickHouse Keeper or ZooKeeper.
 */
export async function startCopies(folders: readonly string[], keeper: string): Promise<Cluster> {
  const copies = await portsOf(folders.length);
  // Nothing in the Keeper is of an earlier run.
  const shard = randomUUID();
  const nodes = await Promise.all(
    folders.map((folder, at) =>
      startNode(folder, { ports: copies[at]!, shards: [copies], copy: { keeper, shard, replica: `copy-${at + 1}` } }),
    ),
  );
  return { name: CLUSTER, nodes, grow: () => Promise.reject(new Error('Copies are no shards.')) };
}

/** A cluster of one server a folder, each a shard of its own. */
export async function startCluster(folders: readonly string[]): Promise<Cluster> {
  return await startShards(folders, { ports: await portsOf(folders.length) });
}

async function startShards(
  folders: readonly string[],
  { ports, order = ports.keys() }: { ports: readonly Ports[]; order?: Iterable<number> },
): Promise<Cluster> {
  const shards = [...order].map((at) => [ports[at]!]);
  const nodes = await Promise.all(folders.map((folder, at) => startNode(folder, { ports: ports[at]!, shards })));
  return {
    name: CLUSTER,
    nodes,
    async grow(folder, order) {
      await Promise.all(nodes.map((node) => node.kill()));
      const all = [...ports, ...(await portsOf(1))];
      return await startShards([...folders, folder], { ports: all, ...(order && { order }) });
    },
  };
}

interface Place {
  ports: Ports;
  /** All shards of the cluster this one belongs to, each with its servers. */
  shards: readonly (readonly Ports[])[];
  /** Set where several servers keep a shard. */
  copy?: { keeper: string; shard: string; replica: string };
}

async function startNode(folder: string, place: Place): Promise<ClickHouse> {
  configure(folder, place);
  const child = launch(folder, place.ports);
  let said = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', (text) => {
      said += text;
    });
  }
  const ended = once(child, 'exit');
  running.add(child);
  child.once('exit', () => running.delete(child));

  const root = `http://127.0.0.1:${place.ports.http}`;
  const headers = { 'X-ClickHouse-User': USER, 'X-ClickHouse-Key': PASSWORD, 'X-ClickHouse-Database': 'afterword' };
  await until('ClickHouse answers', async () => {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`ClickHouse ended: ${said}`);
    const answer = fetch(root, { method: 'POST', headers, body: 'SELECT 1' });
    return await answer.then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return {
    url: `http://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${place.ports.http}/afterword`,
    pid: child.pid!,
    async ask(sql) {
      const answer = await fetch(`${root}/?${ANY_SIZE}`, { method: 'POST', headers, body: sql });
      const text = (await answer.text()).trim();
      if (!answer.ok) throw new Error(text);
      return text;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    startAgain: () => startNode(folder, place),
  };
}

function launch(folder: string, { tcp, door }: Ports): ChildProcess {
  const program = fileURLToPath(new URL('clickhouseProcess.mjs', import.meta.url));
  return spawn(process.execPath, [program, folder, String(door), String(tcp)], { stdio: ['pipe', 'pipe', 'pipe'] });
}

function configure(folder: string, { ports, shards, copy }: Place): void {
  mkdirSync(folder, { recursive: true });
  const users = join(folder, 'users.xml');
  const login = `<user>${USER}</user><password>${PASSWORD}</password>`;
  // A server knows itself by its own port.
  const replica = (of: Ports) => `
        <replica><host>127.0.0.1</host><port>${of.tcp === ports.tcp ? of.tcp : of.door}</port>${login}</replica>`;
  const shard = (servers: readonly Ports[]) => `
      <shard>
        <internal_replication>true</internal_replication>${servers.map(replica).join('')}
      </shard>`;
  writeFileSync(
    join(folder, 'config.xml'),
    `<clickhouse>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${ports.http}</http_port>
  <tcp_port>${ports.tcp}</tcp_port>
  <users_config>${users}</users_config>
  <storage_configuration><disks><attic><type>local</type><path>${join(folder, 'attic')}/</path></attic></disks></storage_configuration>
  <backups><allowed_disk>attic</allowed_disk></backups>
  <!-- The library has room for four mutations and merges, a server for thirty-two. -->
  <background_pool_size>16</background_pool_size>
  <!-- As a server refuses more than 50 GB: what the product drops may have any size. -->
  <max_table_size_to_drop>1</max_table_size_to_drop>
  <max_partition_size_to_drop>1</max_partition_size_to_drop>
  <remote_servers>${shards.length > 0 ? `<${CLUSTER}>${shards.map(shard).join('')}\n    </${CLUSTER}>` : ''}</remote_servers>${copy === undefined ? '' : sharing(copy)}
</clickhouse>
`,
  );
  const access = '<networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota>';
  // The process itself comes in as "default".
  writeFileSync(
    users,
    `<clickhouse>
  <users>
    <default><password/>${access}</default>
    <${USER}><password>${PASSWORD}</password>${access}</${USER}>
  </users>
  <profiles><default/></profiles>
  <quotas><default/></quotas>
</clickhouse>
`,
  );
}

/** What servers that keep the same shard need to know. */
function sharing({ keeper, shard, replica }: { keeper: string; shard: string; replica: string }): string {
  const [host, port] = keeper.split(':');
  return `
  <zookeeper><node><host>${host}</host><port>${port}</port></node></zookeeper>
  <macros><shard>${shard}</shard><replica>${replica}</replica></macros>
  <interserver_http_host>127.0.0.1</interserver_http_host>
  <interserver_http_port>9009</interserver_http_port>`;
}

async function portsOf(places: number): Promise<Ports[]> {
  const ports = await freePorts(places * 3);
  return Array.from({ length: places }, (_, at) => {
    const [http, tcp, door] = ports.slice(at * 3);
    return { http: http!, tcp: tcp!, door: door! };
  });
}
