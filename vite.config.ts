// Builds the widget (for browsers) and the server (for Node), and configures the tests.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  build: { emptyOutDir: true },
  environments: {
    client: {
      build: {
        outDir: 'dist/widget',
        target: 'es2020',
        rolldownOptions: {
          input: { afterword: 'widget/main.ts' },
          output: { entryFileNames: '[name].js', format: 'es' },
        },
      },
    },
    server: {
      consumer: 'server',
      build: {
        outDir: 'dist/server',
        target: 'node20',
        minify: false,
        sourcemap: true,
        copyPublicDir: false,
        ssr: true,
        rolldownOptions: { input: { main: 'server/main.ts' }, output: { entryFileNames: '[name].js', format: 'es' } },
      },
    },
  },
  builder: {
    async buildApp(builder) {
      await builder.build(builder.environments.client!);
      await builder.build(builder.environments.server!);
    },
  },
  test: {
    pool: 'forks',
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
