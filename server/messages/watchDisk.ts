// Raises a message to the operator when the disk of this machine fills: once a day, and once more where it is full.
import type { Logger } from 'pino';
import { DISK_REMEDY, diskRoom, freeText } from '../checkup/diskRoom.ts';
import { CLOCKS_DIFFER_MS, DAY } from '../durations.ts';
import { type MessageStore, OF_SERVER } from '../storage/messages.ts';
import { messageId } from './outbox.ts';

export interface DiskWatchOptions {
  store: { messages: Pick<MessageStore, 'list' | 'save'> };
  log: Logger;
  /** Epoch milliseconds. */
  now(): number;
  /** Name of this machine. */
  host: string;
  /** The data folder. */
  folder: string;
  /** Bytes that may still be written there. */
  freeBytes(): Promise<number>;
}

export function createDiskWatch({ store: { messages }, log, now, host, folder, freeBytes }: DiskWatchOptions) {
  return {
    async tick(): Promise<void> {
      const free = await freeBytes();
      const room = diskRoom(free);
      if (room === 'enough') return;
      const earlier = await messages.list(OF_SERVER, now() - DAY);
      const isKnown = earlier.some(
        ({ kind, at, data }) =>
          kind === 'disk.fills' &&
          // Of a clock that was ahead: it would be known until then.
          at <= now() + CLOCKS_DIFFER_MS &&
          data.host === host &&
          data.folder === folder &&
          (data.room === room || data.room === 'full'),
      );
      if (isKnown) return;
      const text = `${host}: the disk of ${folder} fills, ${freeText(free)}. ${DISK_REMEDY[room]}`;
      log.warn({ folder, free }, text);
      await messages.save({
        site: OF_SERVER,
        id: messageId('disk.fills', host, folder, room, Math.floor(now() / DAY)),
        kind: 'disk.fills',
        at: now(),
        text,
        data: { host, folder, free, room },
        until: now() + DAY,
      });
    },
  };
}
