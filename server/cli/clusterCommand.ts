// `afterword cluster`: which shards a cluster has and what each server says; spreading the rows over shards that were
// added.
import { Command } from 'commander';
import { CommandError } from './commandError.ts';
import { type DataFlags, dataCommand } from './dataCommand.ts';
import { longWork } from './longWork.ts';
import { print } from './output.ts';
import { findSocket } from './socket.ts';
import { table } from './table.ts';

export function clusterCommand(): Command {
  const command = new Command('cluster')
    .summary('shards of a ClickHouse cluster')
    .description('Shards of a cluster of ClickHouse servers.');

  dataCommand(command, 'status', 'print the layout of the cluster and the state of each server').action(
    async (flags: DataFlags) => {
      const { readClusterStatus } = await import('../storage/clusterStatus.ts');
      const status = await readClusterStatus(flags.clickhouseUrl, requireCluster(flags));
      print(flags, status, () => [
        status.servers.every(({ state }) => state === 'away')
          ? `Cluster ${status.cluster}: no server answers, so neither its layout nor that of the rows is known.`
          : `Cluster ${status.cluster}: ${status.configured} configured, rows spread over ${status.stored ?? 'none yet'}.`,
        ...table(
          ['SERVER', 'SHARD', 'ROWS OF SHARD', 'STATE', 'SCHEMA', 'EVENTS', 'MB'],
          status.servers.map((server) => [
            server.name,
            server.shard === undefined ? '-' : String(server.shard),
            server.stored === undefined ? '-' : String(server.stored),
            server.state,
            String(server.schema ?? '-'),
            String(server.events ?? '-'),
            server.bytes === undefined ? '-' : (server.bytes / 1e6).toFixed(1),
          ]),
        ),
        ...status.servers.flatMap(({ name, why }) => (why === undefined ? [] : [`${name}: ${why}`])),
        ...(status.remedy === undefined ? [] : [status.remedy]),
      ]);
    },
  );

  dataCommand(command, 'add', 'spread the rows over the shards the cluster has now, after some were added')
    .addHelpText('after', ADD_HELP)
    .action(async (flags: DataFlags) => {
      const cluster = requireCluster(flags);
      if ((await findSocket(flags.data)) !== undefined)
        throw new CommandError('A server is running on this data: stop it, and every other copy, and run this again.');
      const report = await spread(flags, cluster);
      print(flags, report, () =>
        report.rows === undefined
          ? [`The rows are spread over these ${report.shards} shards already.`]
          : [
              `Spread over ${report.shards} shards, and compared with what was there:`,
              ...table(
                ['TABLE', 'ROWS'],
                Object.entries(report.rows).map(([name, rows]) => [name, String(rows)]),
              ),
              'Start the server with the URL of every server of the cluster.',
            ],
      );
    });
  return command;
}

const ADD_HELP = `
First stop every copy of Afterword: while one lives nothing is changed. Then add
the servers to the cluster in the configuration of all of them (remote_servers),
make the database on each, and give the URL of every server. Each needs as much
free disk as its rows take. Broken off, the same command continues. Events that
come while no copy runs are not counted; afterword move into another database on
all of the servers grows a cluster without that interruption.`;

function requireCluster({ clickhouseUrl, clickhouseCluster }: DataFlags): string {
  if (clickhouseUrl.length > 0 && clickhouseCluster !== undefined) return clickhouseCluster;
  throw new CommandError(
    'Name the cluster with --clickhouse-cluster, and the URL of each server with --clickhouse-url.',
    2,
  );
}

async function spread(flags: DataFlags, cluster: string) {
  const { rebalance } = await import('../storage/rebalance.ts');
  const interrupted = 'Stopped. The same command continues; until then the database stays closed.';
  return await longWork({ title: 'Spreading rows', interrupted, logFormat: flags.logFormat }, (tools) =>
    rebalance({ engine: { kind: 'remote', urls: flags.clickhouseUrl, cluster }, ...tools }),
  );
}
