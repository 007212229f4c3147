// The ES module as a package of its own, `afterword-widget`: what a site that is bundled installs, without the server
// and its database.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NAME = 'afterword-widget';
/** The types of the interface, as the compiler places them: those of the module first, then what it names. */
const TYPES = [
  'widget/module.d.ts',
  'widget/commands.d.ts',
  'widget/ui/records.d.ts',
  'server/contract/wire.d.ts',
  'server/contract/attributes.d.ts',
] as const;

/** Frameworks that check the names of elements in JSX, and how each declares them. `SlotProps` is in scope. */
const FRAMEWORKS: Readonly<Record<string, string>> = {
  react: inNamespace(
    'react',
    'JSX',
    "SlotProps & import('react').DetailedHTMLProps<import('react').HTMLAttributes<HTMLElement>, HTMLElement>",
  ),
  preact: inNamespace('preact', 'JSX', "SlotProps & import('preact').HTMLAttributes<HTMLElement>"),
  vue: `declare module 'vue' {
  interface GlobalComponents {
    AfterwordRelated: import('vue').DefineComponent<SlotProps>;
    AfterwordTop: import('vue').DefineComponent<SlotProps>;
  }
}
`,
};

function inNamespace(module: string, namespace: string, props: string): string {
  return `declare module '${module}' {
  namespace ${namespace} {
    interface IntrinsicElements {
      'afterword-related': ${props};
      'afterword-top': ${props};
    }
  }
}
`;
}

/**
 * Writes what makes the folder of the built module a package: its manifest, licence, README, and the types of elements
 * in JSX.
 */
export function writeModulePackage(folder: string): void {
  const { version, license, description } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, string>;
  for (const [framework, types] of Object.entries(FRAMEWORKS)) {
    const text = `// The elements <afterword-related> and <afterword-top>, for programs in ${framework}.\nimport type { SlotProps } from './${TYPES[0].replace('.d.ts', '.ts')}';\n\n${types}`;
    writeFileSync(join(folder, `${framework}.d.ts`), text);
  }
  const manifest = {
    name: NAME,
    version,
    description: `The widget of Afterword as an ES module. ${description}`,
    license,
    type: 'module',
    sideEffects: false,
    exports: {
      '.': { types: `./${TYPES[0]}`, default: './afterword.js' },
      ...Object.fromEntries(Object.keys(FRAMEWORKS).map((name) => [`./${name}`, { types: `./${name}.d.ts` }])),
      './package.json': './package.json',
    },
    files: ['**/*.js', '*.d.ts', ...TYPES],
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(folder, 'README.md'), README);
  copyFileSync('LICENSE', join(folder, 'LICENSE'));
}

const README = `# ${NAME}

The lists of Afterword for sites that are bundled. It has no dependencies; the server, package \`afterword\`, is installed elsewhere.

\`\`\`js
import { start } from '${NAME}';

const afterword = await start({ server: 'https://stats.example.com', site: 'example.com' });
\`\`\`

Importing it does nothing, so that a server can; \`start\` runs in a browser, once for each page load: in React, in an effect; in Vue, in \`onMounted\`.
A slot is \`<div data-afterword="related"></div>\`, or \`<afterword-related>\` and \`<afterword-top>\`; the types of these elements in JSX are
in \`${NAME}/react\`, \`${NAME}/preact\` and \`${NAME}/vue\`: \`import type {} from '${NAME}/react'\`.
`;
