import { runChecks } from './checks.ts';
import { abortOnSignals, describeCheck } from './runner.ts';

const outcomes = await runChecks(
  abortOnSignals(),
  (outcome) => void process.stdout.write(describeCheck(outcome)),
);
process.exitCode = outcomes.every(({ passed }) => passed) ? 0 : 1;
