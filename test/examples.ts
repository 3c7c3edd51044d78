import { execFile, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT } from './project.ts';

/** How the programs that the guides quote are run, by language. They are in examples/LANGUAGE. */
const LANGUAGES = {
  curl: { command: 'sh', requiredPrograms: ['sh', 'curl', 'jq'] },
  node: { command: process.execPath, requiredPrograms: [] },
  python: { command: 'python3', requiredPrograms: ['python3'] },
  php: { command: 'php', requiredPrograms: ['php'] },
} as const;

export type ExampleLanguage = keyof typeof LANGUAGES;

export const isInstalled = (program: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0;

/** Lists the programs that this machine lacks to run the examples of a language. */
export const listMissingPrograms = (language: ExampleLanguage): string[] =>
  LANGUAGES[language].requiredPrograms.filter((program) => !isInstalled(program));

export const listExamples = (language: ExampleLanguage): string[] =>
  readdirSync(join(PROJECT, 'examples', language)).toSorted();

/** Runs an example to its end, in a new folder. Returns its output. */
export async function runExample(
  language: ExampleLanguage,
  file: string,
  env: Record<string, string>,
): Promise<string> {
  const cwd = await mkdtemp(join(tmpdir(), 'semana-example-'));
  try {
    const path = join(PROJECT, 'examples', language, file);
    const { stdout } = await promisify(execFile)(LANGUAGES[language].command, [path], {
      cwd,
      env: { ...process.env, ...env },
    });
    return stdout;
  } finally {
    await rm(cwd, { recursive: true });
  }
}

/** The output of each example, by its name, which is the same in every language. */
const EXPECTED_OUTPUTS: Record<string, RegExp> = {
  website: /^Padaria[\s\S]*\n4 x 60, CET 0 % a month\n304\nlead_\w+\n$/,
  login: /^Bruno Lima\n900\n$/,
  wallet: /^(?:open|overdue), due on \d{4}-\d\d-\d\d: [\d.]+\n000201.*br\.gov\.bcb\.pix.*\npaid\n$/,
  shop: /\/pagar\/\w{22}\naccepted, cart 7781\n[\s\S]*returned\W+57\.9/,
  webhooks: /^whsec_\S+\n[\s\S]*delivered[\s\S]*\bpending\n$/,
  retries: /^the same offer\nidempotency-replayed: true\s*$/i,
  pay: /^Paid 50\.00, and the webhook is verified\.\n$/,
};

export const getExpectedOutput = (file: string): RegExp => EXPECTED_OUTPUTS[basename(file, extname(file))]!;
