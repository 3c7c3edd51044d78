import type { Transactions, Tx } from '../database/db.ts';
import { idempotencyKeyInFlight, idempotencyKeyReused, once } from '../http/idempotency.ts';
import { Problem } from '../problem.ts';
import { type Arguments, type CommandContext, CommandFault, type Option, UsageFault } from './command.ts';

/** Stands for the partner's id; no partner has this id. */
const COMMAND_LINE = 'command line';

export const REFERENCE: Option = {
  value: 'TEXT',
  help: 'what you call it, e.g. an order: the same again within 24 hours does nothing and prints the same',
};

/** `output` goes to standard output and is stored for a repeated command. `note` goes to standard error. */
type Created = { output: string; note?: string };

/**
 * Creates something in a transaction and prints it; with --reference at most once, by the mechanism of the header
 * Idempotency-Key. `request` is everything that must be the same when the command is repeated; of it only a keyed hash is
 * stored.
 */
export async function createByReference<X extends Tx>(
  context: Omit<CommandContext, 'db'> & { db: Transactions<X> },
  args: Arguments,
  { name, request }: { name: string; request: unknown },
  create: (tx: X) => Promise<Created>,
): Promise<undefined> {
  const { output, note } = await createOnce(context, args, { name, request }, create);
  if (note !== undefined) context.printError(note);
  context.print(output);
}

async function createOnce<X extends Tx>(
  { db, clock, vault }: Parameters<typeof createByReference<X>>[0],
  args: Arguments,
  { name, request }: { name: string; request: unknown },
  create: (tx: X) => Promise<Created>,
): Promise<Created> {
  const reference = args.option('reference')?.trim();
  if (reference === undefined) return db.transaction(create);
  if (reference === '' || reference.length > 100 || reference.includes('\0'))
    throw new UsageFault('--reference has 1 to 100 characters.');
  const attempt = {
    key: `${name} ${reference}`,
    partnerId: COMMAND_LINE,
    customerId: '',
    now: clock.now(),
    request: vault.hash('request', JSON.stringify(request)).toString('base64'),
  };
  try {
    let note = `'${reference}' was done already: nothing was changed.`;
    const { body } = await once(db, attempt, async (tx) => {
      const created = await create(tx);
      note = created.note ?? '';
      return { status: 201, body: created.output };
    });
    return { output: body, ...(note && { note }) };
  } catch (error) {
    if (error instanceof Problem && error.kind === idempotencyKeyReused.kind)
      throw new CommandFault(`--reference '${reference}' was used for something else within 24 hours.`);
    if (error instanceof Problem && error.kind === idempotencyKeyInFlight.kind)
      throw new CommandFault(`'${reference}' is being done at this moment.`);
    throw error;
  }
}
