// The package ships no types of its own.
declare module '@php-wasm/node-8-3' {
  import type { PHPLoaderModule } from '@php-wasm/universal';
  export function getPHPLoaderModule(): Promise<PHPLoaderModule>;
}
