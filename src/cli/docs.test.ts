import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findCommand, readArguments } from '#platform/command-line/command.ts';
import { runCli } from '../../test/commands.ts';
import { openService } from '../../test/harness.ts';
import { listCommands } from './semana.ts';

// Runs every command that the docs show. Two other tests follow the docs step by step: test/docs-shell-blocks.slow.test.ts and
// test/scenarios/first-day.slow.test.ts.

const PROJECT = join(import.meta.dirname, '../..');
/** CHANGELOG.md has the names of earlier releases. */
const PAGES = globSync(['*.md', 'docs/**/*.md', 'deploy/*.{md,env}', 'packages/*/*.md', 'examples/*/*.md'], {
  cwd: PROJECT,
  exclude: ['CHANGELOG.md'],
});
const commands = listCommands();

type DocumentedCommand = { page: string; line: string; words: string[] };

/** Finds the commands in the code blocks of a page and in the inline code of its sentences, where arguments may be omitted. */
function findDocumentedCommands(page: string): {
  blockCommands: DocumentedCommand[];
  sentenceCommands: DocumentedCommand[];
} {
  const text = readFileSync(join(PROJECT, page), 'utf8');
  const blocks = page.endsWith('.md')
    ? [...text.matchAll(/^ *```.*\n([\s\S]*?)^ *```$/gm)].map(([, code]) => code!)
    : [];
  const sentences = page.endsWith('.md') ? text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '') : text;
  const spans = [...sentences.matchAll(/`([^`]+)`/g)].map(([, code]) => code!.replaceAll(/\s+/g, ' '));
  const findInCode = (codeTexts: string[]) =>
    codeTexts.flatMap((code) =>
      [...code.matchAll(/(?:^ *|npx |[(;&|] ?)semana (?=[a-z])/gm)].map(({ index, 0: prefix }) => {
        const line = code.slice(index + prefix.length);
        return { page, line: line.split('\n')[0]!, words: splitWords(line) };
      }),
    );
  const comments = page.endsWith('.env') ? [text.replaceAll(/^# ?/gm, '')] : [];
  return { blockCommands: findInCode([...blocks, ...comments]), sentenceCommands: findInCode(spans) };
}

/**
 * Splits a shell command into words, up to its end: a line break, a pipe or a comment. A word consists of "…" (which may contain `$(…)`),
 * '…', `$(…)` and plain characters; a line break after a backslash separates words. Variables are not expanded.
 */
function splitWords(line: string): string[] {
  const words: string[] = [];
  const token =
    /\s*(?:\\\n\s*)*((?:"(?:\$\((?:[^()]|\([^()]*\))*\)|[^"\\]|\\.)*"|'[^']*'|\$\([^)]*\)|[^\s"'|;&()<>#\\])+)/y;
  for (let match = token.exec(line); match; match = token.exec(line)) {
    const [matchText, word] = match as unknown as [matchText: string, word: string];
    const gap = matchText.slice(0, matchText.length - word.length).replaceAll('\\\n', '');
    if (gap.includes('\n')) break;
    words.push(word.replaceAll(/^["']|["']$/g, '').replace(/(?<==)["']|["']$/g, ''));
  }
  return words;
}

const pageCommands = PAGES.map(findDocumentedCommands);
const blockCommands = pageCommands.flatMap((page) => page.blockCommands);

test('every command in the code of the docs has the arguments and options that it needs', () => {
  assert.ok(blockCommands.length > 80, `${blockCommands.length} commands`);
  for (const { page, line, words } of blockCommands) {
    const command = findCommand(commands, words);
    assert.ok(command, `${page}: semana ${line}`);
    const commandArguments = words.slice(command.name.split(' ').length).filter((word) => word !== '--help');
    const parseArguments = () => readArguments(command, commandArguments);
    assert.doesNotThrow(parseArguments, `${page}: semana ${line}`);
  }
});

test('every command that a sentence of the docs names exists, with its options', () => {
  const sentenceCommands = pageCommands.flatMap((page) => page.sentenceCommands);
  assert.ok(sentenceCommands.length > 60, `${sentenceCommands.length} commands`);
  const unknownCommands = sentenceCommands.filter(({ words }) => {
    const nameLength = words.findIndex((word) => !/^[a-z][a-z-]*$/.test(word));
    const nameWords = nameLength < 0 ? words : words.slice(0, nameLength);
    const command =
      findCommand(commands, words) ??
      commands.find((candidate) => nameWords.every((word, i) => candidate.name.split(' ')[i] === word));
    const options = words.flatMap((word) => /^\[?--([a-z-]+)/.exec(word)?.[1] ?? []);
    return !command || options.some((option) => option !== 'help' && !command.options?.[option]);
  });
  assert.deepEqual(
    unknownCommands.map(({ page, line }) => `${page}: semana ${line}`),
    [],
  );
});

/** The values in the demo data that replace the variables, partners and customers of the docs. */
const DEMO_VALUES: Readonly<Record<string, string>> = {
  $ANA: '+5511987650001',
  '+5511987654321': '+5511987650001',
  'flor-do-trigo': 'padaria-flor-do-trigo',
  "$(date -d '+7 days' +%F)": '2100-01-01',
  'Site institucional': 'Demo partner',
  App: 'Demo partner',
  Padaria: 'Demo partner',
  Semana: 'Demo partner',
};

test('the service accepts the arguments of every staff API command in the docs', async () => {
  const service = await openService();
  const refusedCommands: string[] = [];
  let commandCount = 0;
  for (const { page, line, words } of blockCommands) {
    const command = findCommand(commands, words)!;
    if (!command.operation && command.name !== 'api') continue;
    const needsConfirmation =
      command.options?.yes && !words.includes('--yes') && !words.includes('--dry-run');
    const { code, stderr } = await runCli(
      [...words.map((word) => DEMO_VALUES[word] ?? word), ...(needsConfirmation ? ['--yes'] : [])],
      { SEMANA_URL: service.staffUrl },
      { input: 'cavalo certo bateria grampo' },
    );
    // The exit code is 1 for a placeholder like PAYOUT_ID, which does not exist, and 2 for wrong usage.
    if (code === 2) refusedCommands.push(`${page}: semana ${line}\n${stderr}`);
    commandCount += 1;
  }
  assert.deepEqual(refusedCommands, []);
  assert.ok(commandCount > 60, `${commandCount} commands`);
});
