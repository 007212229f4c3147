// A gauge without labels, whose value is read when the metrics are collected.
import { Gauge, type Registry } from 'prom-client';

export type AddGauge = (name: string, help: string, read: () => number | Promise<number>) => void;

/** @returns Adds a gauge to the registry. */
export const gaugesOf =
  (registry: Registry): AddGauge =>
  (name, help, read) => {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(await read());
      },
    });
  };
