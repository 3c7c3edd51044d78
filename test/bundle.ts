import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

const PROJECT = join(import.meta.dirname, '..');
/** Packages that read files beside them, or are programs: not bundled. */
const LEFT_OUT = ['esbuild', '@resvg/resvg-wasm', '@scalar/fastify-api-reference', 'pdfkit'];

/** Keeps `import.meta.dirname` and the like as in the sources, so that bundled modules find their files. */
const whereTheyLie: Plugin = {
  name: 'where they lie',
  setup({ onLoad }) {
    onLoad({ filter: new RegExp(`^${join(PROJECT, 'src')}/.*\\.tsx?$`) }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!text.includes('import.meta')) return undefined;
      const contents = text
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));
      return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' };
    });
  },
};

/**
 * Bundles the program, for tests that start it hundreds of times: three quarters of the second that bin/semana.js takes to load
 * go into resolving 1,500 modules. Returns the file to run instead of bin/semana.js.
 */
export async function bundleProgram(directory: string): Promise<string> {
  await mkdir(directory);
  await symlink(join(PROJECT, 'node_modules'), join(directory, 'node_modules'));
  const here = JSON.stringify(pathToFileURL(join(PROJECT, 'src/cli/main.ts')).href);
  await build({
    absWorkingDir: PROJECT,
    entryPoints: { cli: 'src/cli/main.ts' },
    outdir: directory,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    external: LEFT_OUT,
    plugins: [whereTheyLie],
    // CommonJS packages need `require` for Node's own modules.
    banner: { js: `import { createRequire as from } from 'node:module'; const require = from(${here});` },
  });
  const program = join(directory, 'semana.mjs');
  await writeFile(
    program,
    `import module from 'node:module';
module.enableCompileCache(${JSON.stringify(join(directory, 'compiled'))});
const { runProcess } = await import('./cli.mjs');
await runProcess();
`,
  );
  // Runs once to its end, so that the compile cache is written: processes that tests kill do not write it.
  const env = { SEMANA_MODE: 'none' };
  await once(spawn(process.execPath, [program, 'start'], { stdio: 'ignore', env }), 'exit');
  return program;
}
