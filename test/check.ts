import { runChecks } from './checks.ts';
import { describeCheck } from './runner.ts';

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupted.abort());
const outcomes = await runChecks(
  interrupted.signal,
  (outcome) => void process.stdout.write(describeCheck(outcome)),
);
process.exitCode = outcomes.every(({ passed }) => passed) ? 0 : 1;
