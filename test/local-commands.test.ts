import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { listModuleCommands, readConfiguration } from '../src/modules.ts';
import { createCommandRunner } from './commands.ts';
import { openService } from './harness.ts';

// Commands that run on the database. All other commands call the staff API; their tests are in src/cli.

const service = await openService();
const runCommand = createCommandRunner(service);

test('audit --json prints the balance of every account, equal to the output without the option', async () => {
  const { customers, disagreements, balances } = JSON.parse(await runCommand('audit', '--json'));
  assert.equal(disagreements, 0);
  assert.ok(customers >= 3);
  const output = await runCommand('audit');
  for (const [account, amount] of Object.entries(balances))
    assert.match(output, new RegExp(`^${account} +${amount}$`, 'm'));
});

/** Commands that write no entry to the audit trail, with the reason, or whose entry another test checks. */
const UNCHECKED_COMMANDS: Record<string, string> = {
  audit: 'it only reads',
  'token-key list': 'it only reads',
  'export categories': 'it only reads',
  'export merchants': 'it only reads',
  'export faq': 'it only reads',
  'export posts': 'it only reads',
  'webhooks listen': 'it only reads, and forwards to a program of the developer',
  demo: 'it runs in the sandbox only, and may empty the audit trail',
  'psp register': 'psp-register.test.ts',
};

test('every local command that changes something writes an audit trail entry', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'semana-trails-'));
  const writeRecord = async (name: string, record: object) => {
    const path = join(directory, name);
    await writeFile(path, JSON.stringify(record));
    return path;
  };
  const category = { slug: 'trilha', name: 'Trilha' };
  const merchant = { slug: 'trilha', name: 'Trilha', category: 'trilha' };
  const question = { id: 'trilha', topic: 'trilhas', question: '?', answer: '!' };
  const post = { slug: 'trilha', title: 'Trilha', summary: '-', author: 'Rita', body: '-' };
  const staffUser = await service.db.row<{ id: string }>(sql`select id from staff_members limit 1`);
  const commandArguments: Record<string, string[]> = {
    'staff add': ['--name', 'Rita', '--role', 'viewer'],
    'staff reset': [staffUser!.id],
    reencrypt: [],
    'token-key rotate': [],
    'import categories': [await writeRecord('categories.jsonl', category)],
    'import merchants': [await writeRecord('merchants.jsonl', merchant)],
    'import faq': [await writeRecord('faq.jsonl', question)],
    'import posts': [await writeRecord('posts.jsonl', post)],
  };
  const names = listModuleCommands(readConfiguration({})).map(({ name }) => name);
  assert.deepEqual(
    names.filter((name) => !UNCHECKED_COMMANDS[name]).toSorted(),
    Object.keys(commandArguments).toSorted(),
  );
  const countEntries = async () =>
    (await service.db.row<{ count: number }>(sql`select count(*) from audit_trail`))!.count;
  for (const [name, args] of Object.entries(commandArguments)) {
    const entryCountBefore = await countEntries();
    await runCommand(name, ...args);
    assert.ok((await countEntries()) > entryCountBefore, `${name} writes no entry`);
  }
  await rm(directory, { recursive: true });
});
