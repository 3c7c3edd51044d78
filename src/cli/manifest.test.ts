import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { findCommand } from '#platform/command-line/command.ts';
import { formatHelp } from '#platform/command-line/help.ts';
import { shareService } from '../../test/harness.ts';
import { readSources } from '../../test/source.ts';
import { readConfiguration } from '../modules.ts';
import { listLocalCommands } from './local.ts';
import { listCommands } from './semana.ts';

const service = await shareService();
const commands = listCommands();

const toOpenApiPath = (url: string) => url.replace(/:(\w+)/g, '{$1}');

test('every operation of the staff API has a command, and every such command has an operation', () => {
  const documentedEndpoints = service.endpoints.staff.filter(({ undocumented }) => !undocumented);
  const derivedEndpoints = documentedEndpoints.filter(({ cli }) => cli?.handwritten === undefined);
  assert.deepEqual(
    commands
      .flatMap(({ operation }) => (operation ? `${operation.method} ${operation.path}` : []))
      .toSorted(),
    derivedEndpoints.map(({ method, url }) => `${method} ${toOpenApiPath(url)}`).toSorted(),
  );
  const handwrittenNames = documentedEndpoints.flatMap(({ cli }) => cli?.handwritten ?? []);
  assert.ok(handwrittenNames.length > 0);
  for (const name of handwrittenNames)
    assert.ok(
      commands.some((command) => command.name === name && !command.operation),
      name,
    );
});

test('the manifest has every local command, and no name is listed twice or resolves to another command', () => {
  const names = commands.map(({ name }) => name);
  for (const { name } of listLocalCommands(readConfiguration({}))) assert.ok(names.includes(name), name);
  assert.equal(new Set(names).size, names.length);
  for (const command of commands) assert.equal(findCommand(commands, command.name.split(' ')), command);
});

test('the help of a command names every argument and option, and has an example if there are any', () => {
  for (const command of commands) {
    const help = formatHelp(command);
    const { name, positionals = [], options = {}, operation } = command;
    assert.match(help, new RegExp(`^semana ${name}: .+\n\nUsage: semana ${name}`));
    const words = [
      ...positionals.map((positional) => positional.name),
      ...Object.keys(options).map((option) => `--${option}`),
    ];
    for (const word of [...words, '--help'])
      assert.ok(help.includes(`\n  ${word} `), `${name} lists ${word}`);
    if (operation && positionals.length > 0) assert.match(help, /\nExamples:\n {2}/, name);
  }
});

test('an action on money, a deletion and an approval require confirmation', () => {
  const confirmedEndpoints = service.endpoints.staff.filter(
    ({ method, approval, cli }) => (approval || method === 'DELETE') && cli?.confirm !== false,
  );
  assert.ok(confirmedEndpoints.length > 15);
  for (const { method, url } of confirmedEndpoints) {
    const path = toOpenApiPath(url);
    const command = commands.find(({ operation }) => operation?.method === method && operation.path === path);
    assert.ok(command?.options?.yes && command.operation?.confirm, `${method} ${path}`);
  }
});

test('the client imports nothing of the service, so that a command starts quickly', () => {
  const sourcesByPath = new Map(readSources().map((source) => [source.path, source]));
  // The loop also visits the paths that it appends.
  const paths = ['src/cli/main.ts'];
  for (const path of paths) {
    const { text } = sourcesByPath.get(path)!;
    // Imports of types are erased, and imports in functions are loaded when they are needed.
    for (const [, specifier] of text.matchAll(/^(?:import|export) (?!type )[^;]*?from '([#.][^']+)'/gm)) {
      const importedPath = specifier!.startsWith('#')
        ? specifier!.replace('#', 'src/')
        : join(dirname(path), specifier!).replaceAll('\\', '/');
      if (!paths.includes(importedPath)) paths.push(importedPath);
    }
  }
  assert.ok(paths.length > 10 && paths.length < 30, paths.join('\n'));
  assert.deepEqual(
    paths.filter((path) => !/^src\/(cli|core\/values|platform\/command-line)\/|platform\/release/.test(path)),
    [],
  );
});
