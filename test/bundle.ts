import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { PROJECT } from './project.ts';

/** Packages that are not bundled, because they read their own files or are programs. */
const EXTERNAL_PACKAGES = ['esbuild', '@resvg/resvg-wasm', '@scalar/fastify-api-reference', 'pdfkit'];

/** Replaces `import.meta.dirname` and `import.meta.url` by those of the sources, so that bundled modules find their files. */
const sourceLocations: Plugin = {
  name: 'source locations',
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
 * Bundles the program for tests that start it hundreds of times: bin/semana.js takes a second to load, of which it spends
 * three quarters resolving 1,500 modules. Returns the file to run instead of bin/semana.js.
 */
export async function bundleProgram(directory: string): Promise<string> {
  await mkdir(directory);
  await symlink(join(PROJECT, 'node_modules'), join(directory, 'node_modules'));
  const mainUrl = JSON.stringify(pathToFileURL(join(PROJECT, 'src/cli/main.ts')).href);
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
    external: EXTERNAL_PACKAGES,
    plugins: [sourceLocations],
    // CommonJS packages need `require` for Node's own modules.
    banner: {
      js: `import { createRequire as createBannerRequire } from 'node:module'; const require = createBannerRequire(${mainUrl});`,
    },
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
  const env = { SEMANA_MODE: 'none' }; // an invalid mode, with which the start ends immediately
  await once(spawn(process.execPath, [program, 'start'], { stdio: 'ignore', env }), 'exit');
  return program;
}
