import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PROJECT } from './project.ts';
import { readSources } from './source.ts';

type ReplacedWord = { pattern: RegExp; replacement: string };

/** Words and name patterns that this project does not use anywhere, and what to write instead. */
const REPLACED: readonly ReplacedWord[] = [
  { pattern: /\b(?:MOST|LEAST)_[A-Z]/, replacement: 'MAX_…, MIN_…' },
  { pattern: /\bPATIENCE_|_PATIENCE\b/, replacement: 'TIMEOUT_MS' },
  { pattern: /AT_ONCE\b/, replacement: 'CONCURRENCY' },
  {
    pattern: /\b(?:front|staff) doors?\b|\bdoors\b|\b(?:front|staff)Door/i,
    replacement: 'partner API, staff API, API servers',
  },
  { pattern: /\b[Ff]aces?\b/, replacement: 'app, apps' },
  { pattern: /\bpapers\b/, replacement: 'documents (PDF)' },
  { pattern: /\bcrash\(/, replacement: 'failpoint()' },
  { pattern: /\b(?:tells?|telling)\b/, replacement: 'notify, publish, report, state' },
  { pattern: /\banew\b|\bonce more\b/, replacement: 'again, recompute, re-render' },
  {
    pattern: /\b[Ww]hoever\b|\b[Ss]omebody\b|\b[Aa]nybody\b/,
    replacement: 'the caller, the owner, the customer',
  },
  { pattern: /\bwhose it is\b|\bthose that wait\b/, replacement: 'the noun' },
  { pattern: /\bby itself\b/, replacement: 'automatically, alone' },
  { pattern: /\bso many\b|\bhow many there are\b/, replacement: 'count, limit' },
  { pattern: /\bKEPT_|\bkept\b/, replacement: 'stored, saved, retained' },
  { pattern: /\breseal|\bunseal/i, replacement: 'encrypt, decrypt, re-encrypt' },
  { pattern: /\bwishes\b/, replacement: 'input, patch' },
  {
    pattern: /\b(?:Holders|toldSchemaOf|isBegunEnough|paidOtherwise|DatabaseAway)\b/,
    replacement: 'a name from the trade',
  },
];

/** Words that code and docs do not use. Names of tests and fixtures of src may still have them. */
const REPLACED_IN_CODE: readonly ReplacedWord[] = [
  ...REPLACED,
  { pattern: /\bnobody\b/i, replacement: 'no user, no caller' },
  { pattern: /\bexcuse\b/, replacement: 'explainFailure' },
];

const REPLACED_IN_DOCS: readonly ReplacedWord[] = [
  ...REPLACED_IN_CODE,
  { pattern: /\bat once\b/, replacement: 'immediately, concurrently, together' },
  { pattern: /\b(?:is|are|was|were) (?:told|asked)\b/, replacement: 'is notified, is requested' },
  { pattern: /\bunder way\b|\bbegun\b/, replacement: 'in progress, started' },
];

/** Files that are not checked: generated ones, Portuguese texts, and this one. */
const EXCLUDED_FILES =
  /openapi(?:-schemas)?\.ts$|operations\.ts$|\/generated\/|\.pt-BR\.md$|^test\/words\.test\.ts$/;

const findWords = (path: string, text: string, words: readonly ReplacedWord[]): string[] =>
  text
    .split('\n')
    .flatMap((line, index) =>
      words
        .filter(({ pattern }) => pattern.test(line))
        .map(({ replacement }) => `${path}:${index + 1}: write ${replacement}: ${line.trim()}`),
    );

const sources = readSources().filter(({ path }) => !EXCLUDED_FILES.test(path));

test('names and comments of the code use the vocabulary of the trade', () => {
  const code = sources.filter(({ path, isTest }) => /^(?:src|packages)\/.*\.tsx?$/.test(path) && !isTest);
  assert.ok(code.length > 500);
  assert.deepEqual(
    code.flatMap(({ path, text }) => findWords(path, text, REPLACED_IN_CODE)),
    [],
  );
});

test('benches, examples and test helpers use the vocabulary of the trade', () => {
  const helpers = sources.filter(({ path }) => /^(?:test|bench|examples)\/.*\.ts$/.test(path));
  assert.ok(helpers.length > 100);
  assert.deepEqual(
    helpers.flatMap(({ path, text }) => findWords(path, text, REPLACED)),
    [],
  );
});

test('the docs use the vocabulary of the trade', () => {
  const documents = globSync(['*.md', 'docs/**/*.md', '{packages,integrations}/*/README.md'], {
    cwd: PROJECT,
  }).filter((path) => !EXCLUDED_FILES.test(path));
  assert.ok(documents.length > 30);
  assert.deepEqual(
    documents.flatMap((path) => findWords(path, readFileSync(join(PROJECT, path), 'utf8'), REPLACED_IN_DOCS)),
    [],
  );
});

test('every replaced word of a line is reported', () => {
  assert.equal(findWords('x.ts', '/** tells whoever asked: MOST_TRIES. */', REPLACED).length, 3);
});
