import type { Events } from '#events';
import { type Command, UsageFault } from '#platform/command-line/command.ts';
import { ENCODING, FILE, readBytes, readEncoding } from '#platform/command-line/file-argument.ts';
import { FileFault } from '#platform/files/read-lines.ts';
import { changeByCommand } from '#platform/privacy/trail.ts';
import { applyReturnFile, type LineResult, RETURN_FORMATS } from '../return-file/apply-return-file.ts';
import { totalOf } from '../return-file/render-return-file.ts';
import { OUTCOMES } from '../schemas.ts';

export const payoutReturnFile = (events: Events): Command => ({
  name: 'payout return-file',
  summary: 'mark payouts as paid or failed as the bank’s return file says',
  positionals: [FILE],
  options: {
    'dry-run': { help: 'say what would happen and write nothing' },
    format: {
      value: 'FORMAT',
      help: 'csv or cnab240 (default: csv for a file named .csv, otherwise cnab240)',
    },
    encoding: ENCODING,
  },
  details:
    'csv: what the service writes of payouts, with status (paid or failed) filled in, and reference or reason. cnab240: the return file of\n' +
    'payments by FEBRABAN. A bad line stops no other, and the same file again changes nothing. Bad lines are on standard error.\n' +
    'Exit code: 0 no line was bad, 1 some were, 2 the file could not be read.',
  examples: ['semana payout return-file RETORNO.RET --dry-run', 'semana payout return-file repasses.csv'],
  async run(context, args) {
    const [path = ''] = args.positionals;
    const given = args.option('format') ?? (/\.csv$/i.test(path) ? 'csv' : 'cnab240');
    const format = RETURN_FORMATS.find((known) => known === given);
    if (!format) throw new UsageFault(`--format is '${given}'; it is ${RETURN_FORMATS.join(' or ')}.`);
    const isDry = args.has('dry-run');
    const file = { bytes: readBytes(path, context), format, encoding: readEncoding(args), isDry };
    const by = { change: changeByCommand(context, 'payout return-file'), events };
    try {
      const results = await applyReturnFile(context.db, file, by);
      for (const result of results)
        if (result.outcome === 'bad') context.printError(describe(result));
        else context.print(describe(result));
      const totals = OUTCOMES.map((outcome) => ({ outcome, ...totalOf(results, outcome) }))
        .filter(({ lines }) => lines > 0)
        .map(({ outcome, lines, amount }) => `${lines} ${outcome} (${amount.toFixed(2)})`);
      context.print(`${totals.join(', ') || 'No lines'}.${isDry ? ' Nothing was written (--dry-run).' : ''}`);
      return results.some(({ outcome }) => outcome === 'bad') ? 1 : 0;
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      context.printError(error.message);
      return 2;
    }
  },
});

const describe = ({ line, outcome, payout, message }: LineResult): string =>
  `line ${line}: ${outcome}${payout ? ` ${payout.id}` : ''}: ${message.en}`;
