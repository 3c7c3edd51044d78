import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PROJECT } from './project.ts';
import { readSources } from './source.ts';

/** Paths in instructions for what a reader adds, with placeholders in upper case or the names of the examples. */
const EXAMPLE_PATH = /[A-Z]{3}|parking|public-cities/;
const sources = readSources();
const names = new Set(sources.flatMap(({ text }) => text.match(/\w+/g) ?? []));
const paths = globSync('**/*.{ts,tsx,js,sh,sql,json,md}', {
  cwd: PROJECT,
  exclude: (path) => /node_modules|\.cache/.test(path),
});

/** Returns the paths and the names in camel case between backticks that do not exist in the project. */
function findMissingNames(text: string): string[] {
  const prose = text.replace(/```.*?```/gs, '');
  const quotedTexts = Array.from(prose.matchAll(/`([^`\n]+)`/g), ([, quotedText]) => quotedText!);
  const isMissingPath = (quotedText: string) =>
    /^[\w-][\w./-]*\.(?:tsx?|js|sh|sql)$/.test(quotedText) &&
    !EXAMPLE_PATH.test(quotedText) &&
    !paths.some((path) => path === quotedText || path.endsWith(`/${quotedText}`));
  const missingNames = quotedTexts
    .flatMap((quotedText) => quotedText.match(/\b[a-z]+[A-Z]\w*\b/g) ?? [])
    .filter((name) => !names.has(name));
  return [...quotedTexts.filter(isMissingPath), ...missingNames];
}

test('files and functions that the docs name exist', () => {
  const documents = globSync(['*.md', 'docs/**/*.md', '{packages,integrations}/*/README.md'], {
    cwd: PROJECT,
  }).filter((path) => path !== 'CHANGELOG.md');
  assert.ok(documents.length > 30);
  assert.deepEqual(
    documents.flatMap((path) =>
      findMissingNames(readFileSync(join(PROJECT, path), 'utf8')).map((name) => `${path}: ${name}`),
    ),
    [],
  );
});

test('a missing file and a missing function are found', () => {
  // Concatenated, so that this file does not contain the missing name.
  const missingName = 'no' + 'SuchName';
  assert.deepEqual(findMissingNames(`\`readSources\`, \`test/no-source.ts\` and \`${missingName}()\``), [
    'test/no-source.ts',
    missingName,
  ]);
});
