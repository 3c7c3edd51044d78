import { type Client, type components, isProblem } from '#client';
import type { PersonalVisit, Sent } from './visit.ts';

type Offer = components['schemas']['WalletOffer'];

/** The offer in as many weeks as were chosen, if it can be had in so many. */
export async function inChosenWeeks(
  { api, query, flash }: PersonalVisit,
  offered: Offer,
): Promise<{ offer: Offer; most: number }> {
  const most = offered.quote.installments.length;
  const asked = flash?.values?.installments ?? query('parcelas') ?? '';
  const chosen = /^\d{1,2}$/.test(asked) ? Number(asked) : most;
  if (offered.status !== 'pending' || chosen < 1 || chosen >= most) return { offer: offered, most };
  try {
    const offer = await api.getWalletOffer({ path: { id: offered.id }, query: { installments: chosen } });
    return { offer, most };
  } catch (error) {
    if (isProblem(error) && error.status === 422) return { offer: offered, most };
    throw error;
  }
}

/** Accepts it in the weeks that the form says. */
export function acceptOffer(api: Client, id: string, sent: Sent, idempotencyKey: string) {
  const installments = Number(sent.text('installments'));
  const body = Number.isInteger(installments) && installments > 0 ? { installments } : {};
  return api.acceptOffer({ path: { id }, body, idempotencyKey });
}
