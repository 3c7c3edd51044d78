import type { PspHttp } from './http-client.ts';
import { resourceAt } from './resource.ts';
import {
  type Charge,
  type ChargeTerms,
  isAsAsked,
  type Receiver,
  readCharge,
  writeTerms,
} from './translate.ts';
import { createOnce, endOnce, type InDoubt } from './write-once.ts';

/** `made`: the charge exists as requested (check its status). `taken`: the txid belongs to a charge with other terms. */
export type PutCharge = { kind: 'made' | 'taken'; charge: Charge };

/** `unclear`: its status is not one that we know; the charge has it. */
type RemovedCharge = { kind: 'removed' | 'paid' | 'unclear'; charge: Charge } | { kind: 'not_found' };

const TXID = /^[a-zA-Z0-9]{26,35}$/;

export function chargeCalls(http: PspHttp, receiver: Receiver) {
  const chargeAt = (txid: string) =>
    resourceAt(http, { route: '/cob/:txid', params: { txid: checkedTxid(txid) } }, (body) =>
      readCharge(body, receiver),
    );
  return {
    /**
     * Creates the charge, once. A second PUT changes nothing at a PSP that follows the standard and is refused by one that does not
     * (Efí: 409), so a retry with the same txid and terms cannot create two charges.
     */
    async putCob(txid: string, terms: ChargeTerms, doubt?: InDoubt): Promise<PutCharge> {
      const cob = chargeAt(txid);
      const body = writeTerms(terms);
      const charge = await createOnce(
        http,
        { method: 'PUT', ...cob.at, body, secrets: [terms.key] },
        cob,
        doubt,
      );
      const isMade = charge.txid.toLowerCase() === txid.toLowerCase() && isAsAsked(charge, terms);
      return { kind: isMade ? 'made' : 'taken', charge };
    },

    async getCob(txid: string): Promise<{ kind: 'found'; charge: Charge } | { kind: 'not_found' }> {
      const charge = await chargeAt(txid).get();
      return charge ? { kind: 'found', charge } : { kind: 'not_found' };
    },

    /** Removes the charge. It may just have been paid: then that is the result. */
    async removeCob(txid: string): Promise<RemovedCharge> {
      const removal = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' };
      const charge = await endOnce(http, chargeAt(txid), removal, ({ status }) => status === 'active');
      if (!charge) return { kind: 'not_found' };
      const isRemoved = charge.status === 'removed' || charge.status === 'removed_by_psp';
      return { kind: isRemoved ? 'removed' : charge.status === 'paid' ? 'paid' : 'unclear', charge };
    },
  };
}

export function checkedTxid(txid: string): string {
  if (!TXID.test(txid)) throw new RangeError(`not a txid: ${txid}`);
  return txid;
}
