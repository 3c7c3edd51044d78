import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findCommand, readArguments } from '#platform/command-line/command.ts';
import { commandLine } from '../../test/commands.ts';
import { openService } from '../../test/harness.ts';
import { listCommands } from './semana.ts';

// Runs every command that the docs show. Walks through the docs with the results of each step: test/pasted.slow.test.ts and
// test/scenarios/first-day.slow.test.ts.

const PROJECT = join(import.meta.dirname, '../..');
/** CHANGELOG.md has the names of earlier releases. */
const PAGES = globSync(['*.md', 'docs/**/*.md', 'deploy/*.{md,env}', 'packages/*/*.md', 'examples/*/*.md'], {
  cwd: PROJECT,
  exclude: ['CHANGELOG.md'],
});
const commands = listCommands();

type Shown = { page: string; line: string; words: string[] };

/** The commands in the code of a page. In a sentence a command may be shortened: `semana payouts list`, `get`. */
function findShownCommands(page: string): { inBlocks: Shown[]; inSentences: Shown[] } {
  const text = readFileSync(join(PROJECT, page), 'utf8');
  const blocks = page.endsWith('.md')
    ? [...text.matchAll(/^ *```.*\n([\s\S]*?)^ *```$/gm)].map(([, code]) => code!)
    : [];
  const sentences = page.endsWith('.md') ? text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '') : text;
  const spans = [...sentences.matchAll(/`([^`]+)`/g)].map(([, code]) => code!.replaceAll(/\s+/g, ' '));
  const find = (codes: string[]) =>
    codes.flatMap((code) =>
      [...code.matchAll(/(?:^ *|npx |[(;&|] ?)semana (?=[a-z])/gm)].map(({ index, 0: start }) => {
        const line = code.slice(index + start.length);
        return { page, line: line.split('\n')[0]!, words: splitWords(line) };
      }),
    );
  const comments = page.endsWith('.env') ? [text.replaceAll(/^# ?/gm, '')] : [];
  return { inBlocks: find([...blocks, ...comments]), inSentences: find(spans) };
}

/** The words of a shell command, up to its end: a line break, a pipe, a comment. Words keep their variables. */
function splitWords(line: string): string[] {
  const words: string[] = [];
  const token =
    /\s*(?:\\\n\s*)*((?:"(?:\$\((?:[^()]|\([^()]*\))*\)|[^"\\]|\\.)*"|'[^']*'|\$\([^)]*\)|[^\s"'|;&()<>#\\])+)/y;
  for (let match = token.exec(line); match; match = token.exec(line)) {
    const [whole, word] = match as unknown as [string, string];
    const gap = whole.slice(0, whole.length - word.length).replaceAll('\\\n', '');
    if (gap.includes('\n')) break;
    words.push(word.replaceAll(/^["']|["']$/g, '').replace(/(?<==)["']|["']$/g, ''));
  }
  return words;
}

const shown = PAGES.map(findShownCommands);
const inBlocks = shown.flatMap((page) => page.inBlocks);

test('every command in the code of the docs has the arguments and options that it needs', () => {
  assert.ok(inBlocks.length > 80, `${inBlocks.length} commands`);
  for (const { page, line, words } of inBlocks) {
    const command = findCommand(commands, words);
    assert.ok(command, `${page}: semana ${line}`);
    const rest = words.slice(command.name.split(' ').length).filter((word) => word !== '--help');
    const readAll = () => readArguments(command, rest);
    assert.doesNotThrow(readAll, `${page}: semana ${line}`);
  }
});

test('every command that a sentence of the docs names exists, with its options', () => {
  const named = shown.flatMap((page) => page.inSentences);
  assert.ok(named.length > 60, `${named.length} commands`);
  const unknown = named.filter(({ words }) => {
    const end = words.findIndex((word) => !/^[a-z][a-z-]*$/.test(word));
    const name = end < 0 ? words : words.slice(0, end);
    const command =
      findCommand(commands, words) ??
      commands.find((one) => name.every((word, i) => one.name.split(' ')[i] === word));
    const options = words.flatMap((word) => /^\[?--([a-z-]+)/.exec(word)?.[1] ?? []);
    return !command || options.some((option) => option !== 'help' && !command.options?.[option]);
  });
  assert.deepEqual(
    unknown.map(({ page, line }) => `${page}: semana ${line}`),
    [],
  );
});

/** What the demo data has instead of the variables, partners and customers of the docs. */
const DEMO: Readonly<Record<string, string>> = {
  $ANA: '+5511987650001',
  '+5511987654321': '+5511987650001',
  'flor-do-trigo': 'padaria-flor-do-trigo',
  "$(date -d '+7 days' +%F)": '2100-01-01',
  'Site institucional': 'Demo partner',
  App: 'Demo partner',
  Padaria: 'Demo partner',
  Semana: 'Demo partner',
};

test('every command of the staff API that the docs show is understood by the service', async () => {
  const service = await openService();
  const refused: string[] = [];
  let count = 0;
  for (const { page, line, words } of inBlocks) {
    const command = findCommand(commands, words)!;
    if (!command.operation && command.name !== 'api') continue;
    const needsConfirmation =
      command.options?.yes && !words.includes('--yes') && !words.includes('--dry-run');
    const { code, stderr } = await commandLine(
      [...words.map((word) => DEMO[word] ?? word), ...(needsConfirmation ? ['--yes'] : [])],
      { SEMANA_URL: service.staffUrl },
      { input: 'cavalo certo bateria grampo' },
    );
    // A placeholder like PAYOUT_ID is found nowhere: 1. Wrong usage is 2.
    if (code === 2) refused.push(`${page}: semana ${line}\n${stderr}`);
    count += 1;
  }
  assert.deepEqual(refused, []);
  assert.ok(count > 60, `${count} commands`);
});
