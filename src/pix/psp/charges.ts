import type { PspHttp } from './http-client.ts';
import { createResource } from './resource.ts';
import {
  type Charge,
  type ChargeTerms,
  matchesTerms,
  parseCharge,
  type Receiver,
  renderTerms,
} from './translate.ts';
import { createOnce, endOnce, type WriteOptions } from './write-once.ts';

/** `created`: the charge exists as requested; check its status. `txid_taken`: the txid belongs to a charge with other terms. */
export type PutCharge = { kind: 'created' | 'txid_taken'; charge: Charge };

/** `unclear`: the charge has a status that we do not know. */
type RemovedCharge = { kind: 'removed' | 'paid' | 'unclear'; charge: Charge } | { kind: 'not_found' };

const TXID_PATTERN = /^[a-zA-Z0-9]{26,35}$/;

export function createChargeCalls(http: PspHttp, receiver: Receiver) {
  const chargeAt = (txid: string) =>
    createResource(http, { route: '/cob/:txid', params: { txid: requireTxid(txid) } }, (body) =>
      parseCharge(body, receiver),
    );
  return {
    /**
     * Creates the charge, once. A repeated PUT changes nothing at a PSP that follows the standard, and others refuse it (Efí:
     * 409), so a retry with the same txid and terms cannot create two charges.
     */
    async putCob(txid: string, terms: ChargeTerms, options?: WriteOptions): Promise<PutCharge> {
      const cob = chargeAt(txid);
      const body = renderTerms(terms);
      const charge = await createOnce(
        http,
        { method: 'PUT', ...cob.address, body, secrets: [terms.key] },
        cob,
        options,
      );
      const isOurs = charge.txid.toLowerCase() === txid.toLowerCase() && matchesTerms(charge, terms);
      return { kind: isOurs ? 'created' : 'txid_taken', charge };
    },

    async getCob(txid: string): Promise<{ kind: 'found'; charge: Charge } | { kind: 'not_found' }> {
      const charge = await chargeAt(txid).get();
      return charge ? { kind: 'found', charge } : { kind: 'not_found' };
    },

    /** Removes the charge. If it has just been paid, the result is `paid`. */
    async removeCob(txid: string): Promise<RemovedCharge> {
      const removal = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' };
      const charge = await endOnce(http, chargeAt(txid), removal, ({ status }) => status === 'active');
      if (!charge) return { kind: 'not_found' };
      const isRemoved = charge.status === 'removed' || charge.status === 'removed_by_psp';
      return { kind: isRemoved ? 'removed' : charge.status === 'paid' ? 'paid' : 'unclear', charge };
    },
  };
}

export function requireTxid(txid: string): string {
  if (!TXID_PATTERN.test(txid)) throw new RangeError(`invalid txid: ${txid}`);
  return txid;
}
