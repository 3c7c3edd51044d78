import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { PROJECT } from './project.ts';

export type SourceFile = {
  /** From the root of the project, e.g. 'src/partners/guard.ts'. */
  path: string;
  text: string;
  /** 'core', 'platform', a module or a package; undefined for files directly in src/ or elsewhere. */
  topDirectory: string | undefined;
  isTest: boolean;
  imports: Import[];
};
/** An import or a re-export. `specifier` is the text after `from`. */
export type Import = { specifier: string; names: string[] };

/** Reads every source file of the project. */
export function readSources(): SourceFile[] {
  return ['packages', 'src', 'test', 'bench', 'bin', 'examples', 'migrations'].flatMap((directory) =>
    readdirSync(join(PROJECT, directory), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(tsx?|js|sql)$/.test(entry.name))
      .filter(
        (entry) => !entry.parentPath.split(sep).some((name) => name === 'node_modules' || name === 'dist'),
      )
      .map((entry) => readSource(relative(PROJECT, join(entry.parentPath, entry.name)))),
  );
}

function readSource(file: string): SourceFile {
  const text = readFileSync(join(PROJECT, file), 'utf8');
  const path = file.split(sep).join('/');
  return {
    path,
    text,
    topDirectory: /^(?:src|packages)\/([^/]+)\//.exec(path)?.[1],
    isTest: /\.test\.ts$|^src\/apps\/tests\//.test(path),
    imports: readImports(text),
  };
}

/** Reads imports such as `import { a, type B as C } from 'x'`, `export { a } from 'x'`, `import('x')` and `import 'x'`. */
function readImports(text: string): Import[] {
  const statements = text.matchAll(/^(?:import|export)\s[^;'"]*?from\s+'([^']+)'/gm);
  const dynamicImports = text.matchAll(/\bimport\(\s*'([^']+)'/g);
  const sideEffectImports = text.matchAll(/^import '([^']+)'/gm);
  return [
    ...Array.from(statements, ([statement, specifier]) => ({
      specifier: specifier!,
      names: readNames(statement),
    })),
    ...[...dynamicImports, ...sideEffectImports].map(([, specifier]) => ({
      specifier: specifier!,
      names: [],
    })),
  ];
}

/** Returns the imported names between the braces, without their aliases. */
export function readNames(statement: string): string[] {
  const [, braces = ''] = /\{([^}]*)\}/.exec(statement) ?? [];
  return braces
    .split(',')
    .map((name) => name.trim().replace(/^type\s+/, ''))
    .map((name) => name.replace(/\s+as\s.*$/s, ''))
    .filter(Boolean);
}
