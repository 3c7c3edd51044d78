import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { fileParameters, readBody, refuseUnreadable } from '#platform/http/file-body.ts';
import { preferredLanguage } from '#platform/http/problem-body.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import { fileRefused } from '#platform/problem.ts';
import type { Payouts } from '../payouts.ts';
import { applyReturnFile, RETURN_FORMATS } from '../return-file/apply-return-file.ts';
import { renderReturnFile } from '../return-file/render-return-file.ts';
import { ReturnFileOutcome } from '../schemas.ts';

/** Each may be a transaction, of some 10 ms, and somebody waits for the answer. */
const MOST_LINES = 1_000;

export const postAdminPayoutsReturnFile = ({ db, clock, events }: Payouts) =>
  endpoint('POST /admin/payouts/return-file', {
    access: { scope: 'operator', role: 'finance' },
    id: 'markPayoutsByFile',
    summary: 'Mark payouts as the bank’s return file says',
    description:
      `The body is the file itself, at most 2 MiB and ${MOST_LINES} lines; larger ones by \`semana payout return-file\`. \`csv\`: what \`GET /admin/payouts\` writes, with ` +
      '`status` (paid or failed) filled in, and `reference` or `reason`; an `amount` is checked. `cnab240`: FEBRABAN’s return file of payments. Each ' +
      'payout is marked by itself: a bad line stops no other, and the same file again changes nothing. With `dry_run` nothing is written.',
    query: Type.Object(fileParameters(RETURN_FORMATS)),
    rawBody: true,
    rawTypes: ['text/csv', 'text/plain'],
    answers: { 200: { description: 'What became of each line, or would.', schema: ReturnFileOutcome } },
    problems: [fileRefused],
    async handler(request) {
      const { dry_run, format = 'csv', encoding = 'utf-8' } = request.query;
      const bytes = [await readBody(request.raw)];
      const file = { bytes, format, encoding, isDry: dry_run === 'true', mostLines: MOST_LINES };
      const change = changeBy(request, clock.now());
      const results = await applyReturnFile(db, file, { change, events }).catch(refuseUnreadable);
      return renderReturnFile(results, preferredLanguage(request.headers['accept-language']));
    },
  });
