// Where this program is installed: what the server itself reads.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import packageJson from '../../package.json' with { type: 'json' };

export interface Installation {
  version: string;
  /** Folder of the built widget. */
  widgetDir: string;
  /** File of the thread pages are read in. */
  readingThread: URL;
  /** File of the thread the index of a big site is made in. */
  indexThread: URL;
  /** File of the thread the mix dial is measured in. */
  frontierThread: URL;
  /** File of the process thumbnails are made in. */
  thumbnailProcess: URL;
}

/**
 * @param program `import.meta.url` of the program: built, in dist/server/; run from its source, in a folder of the
 * project.
 */
export function findInstallation(program: string): Installation {
  const here = dirname(fileURLToPath(program));
  const fromSource = program.endsWith('.ts');
  const dist = join(here, fromSource ? '../dist' : '..');
  return {
    version: packageJson.version,
    widgetDir: join(dist, 'widget'),
    readingThread: new URL(fromSource ? '../server/crawl/readingThread.ts' : 'readingThread.js', program),
    indexThread: new URL(fromSource ? '../dist/server/indexThread.js' : 'indexThread.js', program),
    frontierThread: new URL(fromSource ? '../dist/server/frontierThread.js' : 'frontierThread.js', program),
    thumbnailProcess: new URL(fromSource ? '../dist/server/thumbnailProcess.js' : 'thumbnailProcess.js', program),
  };
}
