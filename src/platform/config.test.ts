import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { test } from 'node:test';
import { runCli } from '../../test/commands.ts';
import { createLiveSettingsWithoutCertificate } from '../../test/live.ts';
import { createUnmigratedDatabase } from '../../test/processes.ts';
import type { WebSettings } from '../apps/settings.ts';
import { modules, readConfiguration, readConfigurationLazily } from '../modules.ts';
import { type Config, listMisspelledSettings, listSettings } from './config.ts';
import { ConfigErrors } from './settings.ts';

const PROJECT = join(import.meta.dirname, '../..');
const SECRET = 'hunter2-top-secret';
const SETTINGS = listSettings(modules);
const webModule = modules.find(({ name }) => name === 'web')!;

const readPlatformConfig = (env: Record<string, string>): Config => readConfiguration(env).config;

function readErrors(env: Record<string, string>): string[] {
  try {
    readPlatformConfig(env);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigErrors);
    return error.errors;
  }
}

test('without configuration the sandbox runs on this machine with its own database', () => {
  const config = readPlatformConfig({});
  const expectedFields: Partial<Config> = {
    mode: 'sandbox',
    port: 3000,
    staffPort: 3001,
    staffHost: '127.0.0.1',
    publicUrl: null,
    databaseUrl: null,
    logLevel: 'info',
  };
  assert.partialDeepStrictEqual(config, expectedFields);
  assert.ok(config.dataDir.endsWith('/.semana') && isAbsolute(config.dataDir));
  assert.equal(config.mediaDir, join(config.dataDir, 'media'));
});

test('all errors are reported together, each with its setting', () => {
  const errors = readErrors({
    SEMANA_MODE: 'production',
    PORT: '80a',
    STAFF_PORT: '65536',
    PUBLIC_URL: 'shop.example',
    DATABASE_URL: 'mysql://x/y',
    DATABASE_POOL: '0',
    LOG_LEVEL: 'loud',
    OTP_COUNTRIES: 'BR,Brasil',
  });
  const namedSettings = errors.map((error) => error.split(' ')[0]);
  assert.deepEqual(namedSettings.sort(), [
    'DATABASE_POOL',
    'DATABASE_URL',
    'LOG_LEVEL',
    'OTP_COUNTRIES',
    'PORT',
    'PUBLIC_URL',
    'SEMANA_MODE',
    'STAFF_PORT',
  ]);
  assert.throws(() => readPlatformConfig({ PORT: 'x', LOG_LEVEL: 'x' }), /has 2 errors/);
  assert.throws(() => readPlatformConfig({ PORT: 'x' }), /has an error/);
});

test('numbers are plain and within bounds', () => {
  for (const port of ['-1', '65536', '3e3', '0x50', '30 00', '3000.0', '１']) {
    assert.match(readErrors({ PORT: port }).join(), /^PORT is .* a whole number from 0 to 65535/, port);
  }
  assert.equal(readPlatformConfig({ PORT: ' 8080 ' }).port, 8080);
  assert.equal(readPlatformConfig({ DATABASE_POOL: '200' }).databasePoolSize, 200);
});

test('an empty setting counts as unset', () => {
  assert.deepEqual(
    readPlatformConfig(Object.fromEntries(SETTINGS.map(({ name }) => [name, '']))),
    readPlatformConfig({}),
  );
  assert.deepEqual(
    readPlatformConfig(Object.fromEntries(SETTINGS.map(({ name }) => [name, '  ']))),
    readPlatformConfig({}),
  );
});

test('the two API servers need different ports', () => {
  assert.match(readErrors({ PORT: '4000', STAFF_PORT: '4000' }).join(), /both 4000/);
  assert.match(readErrors({ PORT: '3001' }).join(), /both 3001/);
  assert.deepEqual(readErrors({ PORT: '0', STAFF_PORT: '0' }), []);
});

test('live mode requires its own database and the https URL that partners use', () => {
  const errors = readErrors({ SEMANA_MODE: 'live' }).join('\n');
  assert.match(errors, /^DATABASE_URL is missing/m);
  assert.match(errors, /^PUBLIC_URL is missing/m);
  const httpErrors = readErrors({ SEMANA_MODE: 'live', PUBLIC_URL: 'http://api.semana.example' }).join('\n');
  assert.match(httpErrors, /^PUBLIC_URL is not a URL that begins with https:/m);
  const completeErrors = readErrors({
    SEMANA_MODE: 'live',
    PUBLIC_URL: 'https://api.semana.example',
    DATABASE_URL: 'postgres://semana@db.example/semana',
  }).join('\n');
  assert.doesNotMatch(completeErrors, /DATABASE_URL|PUBLIC_URL/);
});

test('a slash at the end of PUBLIC_URL makes no difference', () => {
  assert.equal(readPlatformConfig({ PUBLIC_URL: 'https://api.example/' }).publicUrl, 'https://api.example');
});

test('relative directories are resolved from the project, whatever the working directory', () => {
  const { dataDir, mediaDir } = readPlatformConfig({ DATA_DIR: 'here', MEDIA_DIR: '/there' });
  assert.equal(dataDir, join(PROJECT, 'here'));
  assert.equal(mediaDir, '/there');
});

test('no error message repeats the password of DATABASE_URL', () => {
  for (const url of [
    `mysql://semana:${SECRET}@db.example/semana`,
    `postgres//semana:${SECRET}@db.example`,
    `postgres://semana:${SECRET}@db example/semana`,
    SECRET,
  ]) {
    const errors = readErrors({ DATABASE_URL: url });
    assert.match(errors.join(), /^DATABASE_URL is not a URL that begins with postgres:/);
    assert.ok(!errors.join().includes(SECRET), url);
  }
});

test('DATABASE_URL may list several servers, and supports only target_session_attrs for a writable one', () => {
  const severalServers = 'postgres://semana:p%40ss@a:5432,[::1]:5433,b/semana?sslmode=verify-full';
  assert.equal(readPlatformConfig({ DATABASE_URL: severalServers }).databaseUrl, severalServers);
  for (const invalidValue of ['postgres://semana@a:5432,/semana', 'postgres://semana@a:5432,b:x/semana'])
    assert.match(readErrors({ DATABASE_URL: invalidValue }).join(), /^DATABASE_URL is not a URL/);
  const errors = readErrors({ DATABASE_URL: 'postgres://a,b/semana?target_session_attrs=any' });
  assert.match(errors.join(), /^DATABASE_URL sets target_session_attrs; only read-write/);
});

test('each setting is declared once, and nothing else of the environment is read', () => {
  const names = SETTINGS.map(({ name }) => name);
  assert.deepEqual(names, [...new Set(names)]);
  const readNames = new Set<string>();
  const env = new Proxy<Record<string, string>>({}, { get: (_, name) => void readNames.add(String(name)) });
  const { config, readSettings } = readConfiguration(env);
  assert.ok(config && modules.every((module) => !module.settings || readSettings(module)));
  assert.deepEqual([...readNames].sort(), names.toSorted());
});

/** The settings of the platform and all modules, as the service gets them. */
function readAllSettings(env: Record<string, string>): unknown[] {
  const { config, readSettings } = readConfiguration(env);
  return [config, ...modules.map(readSettings)];
}

test('the documented default is the real one: setting it changes nothing', () => {
  const defaults = readAllSettings({});
  for (const { name, default: declaredDefault } of SETTINGS) {
    if (declaredDefault === undefined || (typeof declaredDefault === 'object' && 'derive' in declaredDefault))
      continue;
    const defaultText = typeof declaredDefault === 'string' ? declaredDefault : declaredDefault.sandbox;
    assert.deepEqual(readAllSettings({ [name]: defaultText }), defaults, name);
  }
});

test('the web pages listen on the host of the partner API, unless WEB_HOST is set', () => {
  const readWebHost = (env: Record<string, string>) =>
    (readConfigurationLazily(env).readSettings(webModule) as WebSettings).host;
  assert.equal(readWebHost({}), '0.0.0.0');
  assert.equal(readWebHost({ HOST: '127.0.0.1' }), '127.0.0.1');
  assert.equal(readWebHost({ HOST: '127.0.0.1', WEB_HOST: '10.0.0.7' }), '10.0.0.7');
});

test('in live mode the web pages reject the secret and the key of the sandbox, together with all other errors', async () => {
  const secret = Buffer.from('semana-sandbox-semana-sandbox-se').toString('base64');
  const env = { SEMANA_MODE: 'live', WEB_SECRET: secret, WEB_KEY: 'sandbox-web-key', WEB_PORT: 'x' };
  const { code, stderr } = await runCli(['web'], env);
  assert.equal(code, 2);
  assert.match(stderr, /The configuration has 5 errors:/);
  for (const error of [
    /WEB_SECRET is the public value of the sandbox/,
    /WEB_KEY is the public value of the sandbox/,
    /WEB_PORT is 'x'/,
    /WEB_URL is missing/,
    /API_URL is missing/,
  ])
    assert.match(stderr, error);
  assert.ok(!stderr.includes(secret));
});

test('in live mode migrate and the first admin need no PSP or SMS; commands that do report all errors together', async () => {
  const { PUBLIC_URL, DATA_KEYS, LOOKUP_KEY } = createLiveSettingsWithoutCertificate();
  const env = {
    SEMANA_MODE: 'live',
    DATABASE_URL: await createUnmigratedDatabase(),
    PUBLIC_URL,
    DATA_KEYS,
    LOOKUP_KEY,
  };
  const migrateOutcome = await runCli(['migrate'], env);
  assert.equal(migrateOutcome.code, 0, migrateOutcome.stderr);
  const addOutcome = await runCli(['staff', 'add', '--name', 'Ada', '--role', 'admin'], env);
  assert.equal(addOutcome.code, 0, addOutcome.stderr);
  assert.match(addOutcome.stdout, /^\S{20,}\n$/);
  const registerOutcome = await runCli(['psp', 'register'], {
    ...env,
    PUBLIC_URL: 'http://api.example',
  });
  assert.equal(registerOutcome.code, 2);
  for (const name of ['PUBLIC_URL', 'PSP_URL', 'PSP_CLIENT_ID', 'PIX_KEY'])
    assert.match(registerOutcome.stderr, new RegExp(`- ${name} is `));
  assert.doesNotMatch(registerOutcome.stderr, /TWILIO|SMS_SENDER/);
});

test('the examples in deploy/ have every setting that live mode requires, with quoted values', async () => {
  for (const [file, readSettings] of [
    ['semana.env', (env: Record<string, string>) => void readConfiguration(env)],
    ['web.env', (env: Record<string, string>) => void readConfigurationLazily(env).readSettings(webModule)],
  ] as const) {
    const text = await readFile(join(PROJECT, 'deploy', file), 'utf8');
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const namesAndValues = lines.map((line) => {
      const [, name, value] = /^([A-Z_]+)="([^"$`\\]*)"$/.exec(line) ?? assert.fail(line);
      return [name!, value!] as const;
    });
    try {
      readSettings(Object.fromEntries(namesAndValues));
      assert.fail('the secrets, which the example leaves out, must be reported');
    } catch (error) {
      assert.ok(error instanceof ConfigErrors, String(error));
      assert.deepEqual(
        error.errors.filter((error) => error.includes('missing')),
        [],
      );
    }
  }
});

test('live refuses every placeholder of the examples in deploy/', async () => {
  const text = await readFile(join(PROJECT, 'deploy/semana.env'), 'utf8');
  const env = Object.fromEntries(
    [...text.matchAll(/^([A-Z_]+)="(.*)"$/gm)].map(([, name, value]) => [name!, value!]),
  );
  const refusedNames = readErrors(env).map((error) => error.split(' ')[0]);
  const placeholderNames = Object.keys(env).filter((name) => /\b[A-Z]{2,}\b/.test(env[name]!));
  assert.ok(placeholderNames.length > 12);
  assert.deepEqual(
    placeholderNames.filter((name) => !refusedNames.includes(name)),
    [],
  );
  // Live mode also requires a value of FOUR_EYES_AMOUNT.
  assert.deepEqual(
    readErrors({ ...createLiveSettingsWithoutCertificate(), FOUR_EYES_AMOUNT: '' }).filter((error) =>
      /EYES/.test(error),
    ).length,
    1,
  );
});

test('a name that is nearly one of a setting is reported with that setting; names of other programs are not', () => {
  const env = {
    PIX_RECEIVER_NMAE: 'x',
    FOUR_EYE_AMOUNT: '1',
    PORT: '1',
    PATH: '/bin',
    LC_ALL: 'C',
    PIP_CERT: '/etc/ssl/cert.pem',
    XDG_DATA_DIRS: '/usr',
  };
  assert.deepEqual(listMisspelledSettings(env, SETTINGS), [
    'PIX_RECEIVER_NMAE is not a setting. Did you mean PIX_RECEIVER_NAME?',
    'FOUR_EYE_AMOUNT is not a setting. Did you mean FOUR_EYES_AMOUNT?',
  ]);
});

test('the nginx example accepts callbacks of the PSP and pictures of 2 MiB', async () => {
  const text = await readFile(join(PROJECT, 'deploy/nginx.conf'), 'utf8');
  for (const name of ['api', 'staff']) {
    const server = text.split(/^server \{/m).find((block) => block.includes(`server_name ${name}.`))!;
    assert.ok(Number(/client_max_body_size (\d+)m;/.exec(server)?.[1]) > 2, name);
  }
});

test('the nginx example removes the client address that a caller claims from requests to the staff API and the office', async () => {
  const text = await readFile(join(PROJECT, 'deploy/nginx.conf'), 'utf8');
  for (const name of ['staff', 'office']) {
    const server = text.split(/^server \{/m).find((block) => block.includes(`server_name ${name}.`))!;
    assert.match(server, /proxy_set_header x-client-ip "";/, name);
  }
});

test('the compose example has a settings file per process, the office links to the site, and the guide deploys a commit', async () => {
  const text = await readFile(join(PROJECT, 'deploy/compose.live.yaml'), 'utf8');
  for (const name of ['semana', 'web', 'office']) assert.ok(text.includes(`/etc/semana/${name}.env`), name);
  const officeEnv = await readFile(join(PROJECT, 'deploy/office.env'), 'utf8');
  assert.match(officeEnv, /^OFFICE_SITE_URL="https:/m);
  // The guide deploys a commit, because a release may have no tag.
  const deployGuide = await readFile(join(PROJECT, 'docs/deploying.md'), 'utf8');
  assert.match(deployGuide, /^V=COMMIT/m);
  assert.doesNotMatch(deployGuide, /git (?:checkout|clone)[^\n]* v?\d+\.\d+\.\d+/);
});

const UNREACHABLE_URL = `postgres://semana:${SECRET}@127.0.0.1:1/semana`;
const MALFORMED_URL = `postgre://semana:${SECRET}@x/y`;

test('the command line never prints the password of DATABASE_URL, whether the URL is malformed or its server is unreachable', async () => {
  for (const url of [UNREACHABLE_URL, MALFORMED_URL]) {
    const { code, stdout, stderr } = await runCli(['audit'], { DATABASE_URL: url });
    assert.notEqual(code, 0);
    assert.ok(stderr.length > 0);
    assert.ok(!(stdout + stderr).includes(SECRET), stderr);
  }
});

test('the service never prints the password of DATABASE_URL; it exits with all configuration errors, one per line, without a stack', async () => {
  const outcome = await startService({ DATABASE_URL: UNREACHABLE_URL, PORT: '0', STAFF_PORT: '0' });
  assert.equal(outcome.code, 1);
  assert.ok(outcome.output.length > 0 && !outcome.output.includes(SECRET), outcome.output);
  const { code, output } = await startService({ DATABASE_URL: MALFORMED_URL, PORT: 'x', LOG_LEVEL: 'y' });
  assert.equal(code, 1);
  assert.match(output, /The configuration has 3 errors:\n( {2}- .*\n){3}$/);
  for (const error of [/^ {2}- PORT is 'x'/m, /^ {2}- LOG_LEVEL is 'y'/m, /^ {2}- DATABASE_URL is not/m])
    assert.match(output, error);
  assert.ok(!output.includes(SECRET), output);
});

function startService(env: Record<string, string>): Promise<{ code: unknown; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['bin/semana.js', 'start'], { cwd: PROJECT, env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });
}
