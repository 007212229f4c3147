// An engine whose statements are measured.
import type { Engine } from './engine.ts';

/** Called when a statement begins; what it returns, when it has ended. */
export type EngineMeter = (kind: 'read' | 'insert' | 'command') => (outcome: 'done' | 'failed') => void;

export function meterEngine(engine: Engine, meter: EngineMeter): Engine {
  async function measured<T>(kind: Parameters<EngineMeter>[0], work: Promise<T>): Promise<T> {
    const end = meter(kind);
    try {
      const result = await work;
      end('done');
      return result;
    } catch (error) {
      end('failed');
      throw error;
    }
  }
  return {
    ...engine,
    rows: (...statement) => measured('read', engine.rows(...statement)),
    lines: (...statement) => measured('read', engine.lines(...statement)),
    insert: (...rows) => measured('insert', engine.insert(...rows)),
    command: (...statement) => measured('command', engine.command(...statement)),
  };
}
