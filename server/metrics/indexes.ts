// How much of the memory for indexes is taken, and whether it is enough: sites that leave memory again and again, or
// loads that wait, say that it is not.
import { Counter, type Registry } from 'prom-client';
import type { LoadedReadership } from '../readers/readership.ts';
import type { LoadedLibrary } from '../siteIndex/types.ts';
import { gaugesOf } from './gauge.ts';

export interface WatchedIndexes {
  library: Pick<LoadedLibrary, 'sizes' | 'loading'>;
  readership: Pick<LoadedReadership, 'sizes'>;
}

export function watchIndexes(registry: Registry, { library, readership }: WatchedIndexes): void {
  const registers = [registry];

  const now = gaugesOf(registry);

  now('afterword_index_posts', 'Posts in memory, of all sites.', () => library.sizes().posts);
  now('afterword_index_bytes', 'Bytes of these posts and the indexes over them, about.', () => library.sizes().bytes);
  now(
    'afterword_index_limit_bytes',
    'Bytes they may take: four fifths of --index-memory.',
    () => library.sizes().limit,
  );
  now('afterword_index_sites', 'Sites whose posts are in memory.', () => library.sizes().sites);
  now('afterword_index_loading_sites', 'Sites whose posts are being loaded.', () => library.loading().length);
  now('afterword_index_waiting_loads', 'Of these, sites that wait for a slot.', () => library.sizes().waiting);
  now('afterword_readers_bytes', 'Bytes of what readers read next, of all sites.', () => readership.sizes().bytes);
  new Counter({
    name: 'afterword_index_evictions_total',
    help: 'Sites that left memory because others needed it.',
    registers,
    collect() {
      this.reset();
      this.inc(library.sizes().evictions);
    },
  });
}
