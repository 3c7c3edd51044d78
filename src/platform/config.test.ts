import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { test } from 'node:test';
import { commandLine } from '../../test/commands.ts';
import { uncertifiedSettings } from '../../test/live.ts';
import { newDatabase } from '../../test/processes.ts';
import { modules, openConfiguration, readConfiguration } from '../modules.ts';
import type { WebSettings } from '../web/settings.ts';
import { type Config, listSettings } from './config.ts';
import { ConfigFaults } from './settings.ts';

const PROJECT = join(import.meta.dirname, '../..');
const SECRET = 'hunter2-top-secret';
const SETTINGS = listSettings(modules);
const web = modules.find(({ name }) => name === 'web')!;

const read = (env: Record<string, string>): Config => readConfiguration(env).config;

function faultsOf(env: Record<string, string>): string[] {
  try {
    read(env);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigFaults);
    return error.faults;
  }
}

test('nothing configured is the sandbox, on this machine, with a database of its own', () => {
  const config = read({});
  const expected: Partial<Config> = {
    mode: 'sandbox',
    port: 3000,
    staffPort: 3001,
    staffHost: '127.0.0.1',
    publicUrl: null,
    databaseUrl: null,
    logLevel: 'info',
  };
  assert.deepEqual({ ...config, ...expected }, config);
  assert.ok(config.dataDir.endsWith('/.semana') && isAbsolute(config.dataDir));
  assert.equal(config.mediaDir, join(config.dataDir, 'media'));
});

test('all faults are reported together, each naming its setting', () => {
  const faults = faultsOf({
    SEMANA_MODE: 'production',
    PORT: '80a',
    STAFF_PORT: '65536',
    PUBLIC_URL: 'shop.example',
    DATABASE_URL: 'mysql://x/y',
    DATABASE_POOL: '0',
    LOG_LEVEL: 'loud',
    OTP_COUNTRIES: 'BR,Brasil',
  });
  const named = faults.map((fault) => fault.split(' ')[0]);
  assert.deepEqual(named.sort(), [
    'DATABASE_POOL',
    'DATABASE_URL',
    'LOG_LEVEL',
    'OTP_COUNTRIES',
    'PORT',
    'PUBLIC_URL',
    'SEMANA_MODE',
    'STAFF_PORT',
  ]);
  assert.throws(() => read({ PORT: 'x', LOG_LEVEL: 'x' }), /has 2 faults/);
  assert.throws(() => read({ PORT: 'x' }), /has a fault/);
});

test('numbers are plain and within bounds', () => {
  for (const port of ['-1', '65536', '3e3', '0x50', '30 00', '3000.0', '１']) {
    assert.match(faultsOf({ PORT: port })[0]!, /^PORT is .* a whole number from 0 to 65535/, port);
  }
  assert.equal(read({ PORT: ' 8080 ' }).port, 8080);
  assert.equal(read({ DATABASE_POOL: '200' }).databasePoolSize, 200);
});

test('an empty setting is none', () => {
  assert.deepEqual(read(Object.fromEntries(SETTINGS.map(({ name }) => [name, '']))), read({}));
  assert.deepEqual(read(Object.fromEntries(SETTINGS.map(({ name }) => [name, '  ']))), read({}));
});

test('the two doors need a port each', () => {
  assert.match(faultsOf({ PORT: '4000', STAFF_PORT: '4000' })[0]!, /both 4000/);
  assert.match(faultsOf({ PORT: '3001' })[0]!, /both 3001/);
  assert.deepEqual(faultsOf({ PORT: '0', STAFF_PORT: '0' }), []);
});

test('live refuses to start until it has its own database and the https address partners use', () => {
  const faults = faultsOf({ SEMANA_MODE: 'live' }).join('\n');
  assert.match(faults, /^DATABASE_URL is missing/m);
  assert.match(faults, /^PUBLIC_URL is missing/m);
  const plain = faultsOf({ SEMANA_MODE: 'live', PUBLIC_URL: 'http://api.semana.example' }).join('\n');
  assert.match(plain, /^PUBLIC_URL is not an address that begins with https:/m);
  const given = faultsOf({
    SEMANA_MODE: 'live',
    PUBLIC_URL: 'https://api.semana.example',
    DATABASE_URL: 'postgres://semana@db.example/semana',
  }).join('\n');
  assert.doesNotMatch(given, /DATABASE_URL|PUBLIC_URL/);
});

test('a slash at the end of PUBLIC_URL makes no difference', () => {
  assert.equal(read({ PUBLIC_URL: 'https://api.example/' }).publicUrl, 'https://api.example');
});

test('relative directories are counted from the project, wherever the command was given', () => {
  const { dataDir, mediaDir } = read({ DATA_DIR: 'here', MEDIA_DIR: '/there' });
  assert.equal(dataDir, join(PROJECT, 'here'));
  assert.equal(mediaDir, '/there');
});

test('no fault repeats the password of DATABASE_URL', () => {
  for (const url of [
    `mysql://semana:${SECRET}@db.example/semana`,
    `postgres//semana:${SECRET}@db.example`,
    `postgres://semana:${SECRET}@db example/semana`,
    SECRET,
  ]) {
    const faults = faultsOf({ DATABASE_URL: url });
    assert.match(faults[0]!, /^DATABASE_URL is not an address that begins with postgres:/);
    assert.ok(!faults.join().includes(SECRET), url);
  }
});

test('DATABASE_URL may name several servers, and asks for one that can be written to or for nothing', () => {
  const several = 'postgres://semana:p%40ss@a:5432,[::1]:5433,b/semana?sslmode=verify-full';
  assert.equal(read({ DATABASE_URL: several }).databaseUrl, several);
  for (const wrong of ['postgres://semana@a:5432,/semana', 'postgres://semana@a:5432,b:x/semana'])
    assert.match(faultsOf({ DATABASE_URL: wrong })[0]!, /^DATABASE_URL is not an address/);
  const any = faultsOf({ DATABASE_URL: 'postgres://a,b/semana?target_session_attrs=any' });
  assert.match(any[0]!, /^DATABASE_URL asks for target_session_attrs; only read-write/);
});

test('each setting is declared once, and nothing else of the environment is read', () => {
  const names = SETTINGS.map(({ name }) => name);
  assert.deepEqual(names, [...new Set(names)]);
  const readNames = new Set<string>();
  const env = new Proxy<Record<string, string>>({}, { get: (_, name) => void readNames.add(String(name)) });
  const { config, settingsOf } = readConfiguration(env);
  assert.ok(config && modules.every((module) => !module.settings || settingsOf(module)));
  assert.deepEqual([...readNames].sort(), names.toSorted());
});

/** The settings of all, as the service gets them. */
function readAll(env: Record<string, string>): unknown[] {
  const { config, settingsOf } = readConfiguration(env);
  return [config, ...modules.map(settingsOf)];
}

test('the default that is shown is the one that counts: set to it, a setting changes nothing', () => {
  const unset = readAll({});
  for (const { name, default: given } of SETTINGS) {
    if (given === undefined || (typeof given === 'object' && 'from' in given)) continue;
    const written = typeof given === 'string' ? given : given.sandbox;
    assert.deepEqual(readAll({ [name]: written }), unset, name);
  }
});

test('the pages listen where the front door does, unless WEB_HOST says otherwise', () => {
  const hostOf = (env: Record<string, string>) =>
    (openConfiguration(env).settingsOf(web) as WebSettings).host;
  assert.equal(hostOf({}), '0.0.0.0');
  assert.equal(hostOf({ HOST: '127.0.0.1' }), '127.0.0.1');
  assert.equal(hostOf({ HOST: '127.0.0.1', WEB_HOST: '10.0.0.7' }), '10.0.0.7');
});

test('live pages refuse the secret and the key of the sandbox, with all else that is wrong', async () => {
  const secret = Buffer.from('semana-sandbox-semana-sandbox-se').toString('base64');
  const env = { SEMANA_MODE: 'live', WEB_SECRET: secret, WEB_KEY: 'sandbox-web-key', WEB_PORT: 'x' };
  const { code, stderr } = await commandLine(['web'], env);
  assert.equal(code, 2);
  assert.match(stderr, /The configuration has 5 faults:/);
  for (const fault of [/WEB_SECRET is the one of the sandbox/, /WEB_KEY is the one of the sandbox/])
    assert.match(stderr, fault);
  for (const fault of [/WEB_PORT is 'x'/, /WEB_URL is missing/, /API_URL is missing/])
    assert.match(stderr, fault);
  assert.ok(!stderr.includes(secret));
});

test('migrate and the first admin need no PSP and no SMS in live; commands that need them report all faults together', async () => {
  const { PUBLIC_URL, DATA_KEYS, LOOKUP_KEY } = uncertifiedSettings();
  const env = { SEMANA_MODE: 'live', DATABASE_URL: await newDatabase(), PUBLIC_URL, DATA_KEYS, LOOKUP_KEY };
  const migrated = await commandLine(['migrate'], env);
  assert.equal(migrated.code, 0, migrated.stderr);
  const added = await commandLine(['staff', 'add', '--name', 'Ada', '--role', 'admin'], env);
  assert.equal(added.code, 0, added.stderr);
  assert.match(added.stdout, /^\S{20,}\n$/);
  const register = await commandLine(['psp', 'register'], { ...env, PUBLIC_URL: 'http://api.example' });
  assert.equal(register.code, 2);
  for (const name of ['PUBLIC_URL', 'PSP_URL', 'PSP_CLIENT_ID', 'PIX_KEY'])
    assert.match(register.stderr, new RegExp(`- ${name} is `));
  assert.doesNotMatch(register.stderr, /TWILIO|SMS_SENDER/);
});

test('the examples in deploy/ have every line that live needs, each value quoted', async () => {
  for (const [file, read] of [
    ['semana.env', (env: Record<string, string>) => void readConfiguration(env)],
    ['web.env', (env: Record<string, string>) => void openConfiguration(env).settingsOf(web)],
  ] as const) {
    const text = await readFile(join(PROJECT, 'deploy', file), 'utf8');
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const values = lines.map((line) => {
      const [, name, value] = /^([A-Z_]+)="([^"$`\\]*)"$/.exec(line) ?? assert.fail(line);
      return [name!, value!] as const;
    });
    try {
      read(Object.fromEntries(values));
      assert.fail('an example has no secrets in it');
    } catch (error) {
      assert.ok(error instanceof ConfigFaults, String(error));
      assert.deepEqual(
        error.faults.filter((fault) => fault.includes('missing')),
        [],
      );
    }
  }
});

test('the example of nginx lets a picture of 2 MiB through at the staff door', async () => {
  const text = await readFile(join(PROJECT, 'deploy/nginx.conf'), 'utf8');
  const staff = text.split(/^server \{/m).find((block) => block.includes('server_name staff.'))!;
  assert.ok(Number(/client_max_body_size (\d+)m;/.exec(staff)?.[1]) > 2);
});

const WRONG = [`postgres://semana:${SECRET}@127.0.0.1:1/semana`, `postgre://semana:${SECRET}@x/y`];

test('the command line never prints the password of DATABASE_URL: not when it is wrong, nor when it leads nowhere', async () => {
  for (const url of WRONG) {
    const { code, stdout, stderr } = await commandLine(['partner', 'list'], { DATABASE_URL: url });
    assert.notEqual(code, 0);
    assert.ok(stderr.length > 0);
    assert.ok(!(stdout + stderr).includes(SECRET), stderr);
  }
});

test('nor does the service; it ends with all faults of its configuration, a line each, and no stack', async () => {
  const nowhere = await start({ DATABASE_URL: WRONG[0]!, PORT: '0', STAFF_PORT: '0' });
  assert.equal(nowhere.code, 1);
  assert.ok(nowhere.output.length > 0 && !nowhere.output.includes(SECRET), nowhere.output);
  const { code, output } = await start({ DATABASE_URL: WRONG[1]!, PORT: 'x', LOG_LEVEL: 'y' });
  assert.equal(code, 1);
  assert.match(output, /The configuration has 3 faults:\n( {2}- .*\n){3}$/);
  for (const fault of [/^ {2}- PORT is 'x'/m, /^ {2}- LOG_LEVEL is 'y'/m, /^ {2}- DATABASE_URL is not/m])
    assert.match(output, fault);
  assert.ok(!output.includes(SECRET), output);
});

function start(env: Record<string, string>): Promise<{ code: unknown; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['bin/semana.js', 'start'], { cwd: PROJECT, env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });
}
