#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { listen } from './listen.ts';

const USAGE = `Usage: npx @semana/client listen --key KEY --to URL [--api URL] [--replay]

Forwards the events of a partner's key to a program on this machine, signed like webhooks.

  --key KEY   the partner's API key
  --to URL    where to send the events, for example http://localhost:4000/hook
  --api URL   the address of the partner API (default: http://localhost:3000)
  --replay    also sends the events of the last hour`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    key: { type: 'string' },
    to: { type: 'string' },
    api: { type: 'string', default: 'http://localhost:3000' },
    replay: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const { key, to, api: url, replay, help } = values;
if (help || positionals[0] !== 'listen' || !key || !to || !URL.canParse(to)) {
  process.stderr.write(`${USAGE}\n`);
  process.exitCode = help ? 0 : 2;
} else {
  const interruption = new AbortController();
  process.once('SIGINT', () => interruption.abort());
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  await listen({ url, key, targetUrl: to, replay, signal: interruption.signal, print }).catch(
    (error: Error) => {
      if (interruption.signal.aborted) return;
      process.stderr.write(`${url}: ${error.message}\n`);
      process.exitCode = 1;
    },
  );
}
