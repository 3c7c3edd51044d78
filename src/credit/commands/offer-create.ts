import { requireMerchant } from '#catalog';
import { toReais } from '#core/money.ts';
import { MAX_INSTALLMENTS } from '#core/schedule.ts';
import type { Messenger } from '#customers';
import type { Events } from '#events';
import { type Arguments, type Command, UsageFault } from '#platform/command-line/command.ts';
import { readText } from '#platform/command-line/values.ts';
import type { Tx } from '#platform/database/db.ts';
import { rehearse } from '#platform/database/rehearse.ts';
import { readPhone } from '#platform/http/formats.ts';
import { changeByCommand, recordCreation } from '#platform/privacy/trail.ts';
import { makeOffer } from '../offers/make-offer.ts';
import { planOffer } from '../offers/offer.ts';
import type { OfferOrder } from '../offers/read-order.ts';
import { renderStaffOffer } from '../reports/render-staff.ts';
import type { MerchantBalances } from '../returns/merchant-floor.ts';
import type { CreditSettings } from '../settings.ts';
import { describePlan, ORDER_OPTIONS, readAmount } from './order-words.ts';

type Deps = {
  events: Events;
  settings: () => CreditSettings;
  canReach: () => Messenger['canReach'];
  countMessage: () => Messenger['count'];
  balances: () => MerchantBalances;
};

export const offerCreate = ({ events, settings, canReach, countMessage, balances }: Deps): Command => ({
  name: 'offer create',
  // Which countries get messages is a setting of another module: not checked here.
  needs: [settings, () => canReach()('')],
  summary: 'offer a purchase in the name of a merchant',
  options: {
    phone: {
      value: 'PHONE',
      help: 'whom it is offered to, like +5511987654321 or 11 98765-4321',
      required: true,
    },
    ...ORDER_OPTIONS,
    reference: { value: 'TEXT', help: 'what you call it, e.g. an order: the same again is the same offer' },
  },
  details:
    'Whoever has the phone gets a message, and has two days to accept. Open offers are made with the merchant’s own key. The id of the offer goes to standard output, the schedule\n' +
    'to standard error.',
  examples: [
    'semana offer create --phone +5511987650002 --merchant padaria-flor-do-trigo --amount 90 --installments 3 --dry-run',
  ],
  async run(context, args) {
    const { db, clock, config, vault, print, printError } = context;
    const order = readOrder(args);
    const now = clock.now();
    const make = async (tx: Tx) => {
      const merchant = await requireMerchant(tx, args.required('merchant'));
      const maker = {
        ...settings(),
        messenger: { canReach: canReach(), count: countMessage() },
        balances: balances(),
        vault,
        events,
        mode: config.mode,
        returnOrigins: [],
      };
      const { offer, isNew } = await makeOffer(tx, merchant.id, order, maker, now);
      const change = changeByCommand(context, 'offer create');
      const shown = renderStaffOffer(offer, now);
      if (isNew) await recordCreation(tx, change, { kind: 'offer', id: offer.id }, shown);
      return { offer, isNew };
    };
    const isRehearsal = args.has('dry-run');
    const { offer, isNew } = await (isRehearsal ? rehearse(db, make) : db.transaction(make));
    const described = (stream: NodeJS.WriteStream) =>
      describePlan(planOffer(offer, now), offer.merchant_name, stream);
    if (isRehearsal) {
      print(described(process.stdout));
      print('\nNothing was written (--dry-run).');
      return undefined;
    }
    printError(
      isNew ? described(process.stderr) : `'${offer.reference}' was offered already: nothing was changed.`,
    );
    print(offer.id);
  },
});

function readOrder(args: Arguments): OfferOrder {
  const phone = readPhone(args.required('phone'));
  if (phone === null) throw new UsageFault('--phone is written like +5511987654321 or 11 98765-4321.');
  const text = (name: 'description' | 'reference', most: number) =>
    args.has(name) ? { [name]: readText(args, name, most) } : {};
  const count = args.required('installments');
  const installments = Number(count);
  if (!/^\d{1,2}$/.test(count) || installments < 1 || installments > MAX_INSTALLMENTS)
    throw new UsageFault(`--installments is a whole number from 1 to ${MAX_INSTALLMENTS}.`);
  return {
    phone,
    amount: toReais(readAmount(args.required('amount'), 1)),
    installments,
    ...text('description', 200),
    ...text('reference', 100),
  };
}
