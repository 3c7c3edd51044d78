import { type Client, type components, isProblem } from '#client';
import type { SubmittedForm } from './submitted-form.ts';
import { isUnreachable } from './transport.ts';
import type { PersonalVisit } from './visit.ts';

type Offer = components['schemas']['WalletOffer'];

/** Returns the offer with the number of installments that the visitor chose, or as it is if that number is not possible. */
export async function applyChosenInstallments({ api, readQuery, flash }: PersonalVisit, offer: Offer) {
  const maxInstallments = offer.quote.installments.length;
  const input = flash?.values?.installments ?? readQuery('parcelas') ?? '';
  const chosenInstallments = /^\d{1,2}$/.test(input) ? Number(input) : maxInstallments;
  if (offer.status !== 'pending' || chosenInstallments < 1 || chosenInstallments >= maxInstallments)
    return { offer, maxInstallments };
  try {
    const quoteInput = { path: { id: offer.id }, query: { installments: chosenInstallments } };
    return { offer: await api.getWalletOffer(quoteInput), maxInstallments };
  } catch (error) {
    if (isProblem(error) && error.status === 422) return { offer, maxInstallments };
    throw error;
  }
}

/**
 * Accepts the offer with the number of installments in the form. An offer that the customer has accepted before, by a request whose
 * response was lost, is accepted all the same.
 */
export async function acceptOffer(api: Client, id: string, form: SubmittedForm, idempotencyKey: string) {
  const installments = Number(form.readText('installments'));
  const body = Number.isInteger(installments) && installments > 0 ? { installments } : {};
  try {
    return await api.acceptOffer({ path: { id }, body, idempotencyKey });
  } catch (error) {
    if (!isProblem(error, 'offer_closed') && !isUnreachable(error)) throw error;
    const offer = await api.getWalletOffer({ path: { id } }).catch(() => undefined);
    if (!offer?.checkout_hash) throw error;
    return { hash: offer.checkout_hash, merchant: offer.merchant };
  }
}
