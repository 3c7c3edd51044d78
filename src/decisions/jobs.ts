import { saoPauloDay } from '#core/day.ts';
import { sumLosses } from '#credit';
import { findPhone, messenger } from '#customers';
import type { CronItem, Tasks } from '#platform/jobs/jobs.ts';
import type { Decisions } from './decisions.ts';
import { findDecision, replaceMerchantLosses } from './store.ts';

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    merchant_losses: NoPayload;
  }
}

/** Every night, before shops open. */
export const DECISIONS_CRON: CronItem[] = [{ task: 'merchant_losses', match: '40 6 * * *' }];

export const decisionTasks = (deps: Decisions): Tasks => ({
  async merchant_losses() {
    const today = saoPauloDay(deps.clock.now().getTime());
    await deps.db.transaction(async (tx) => replaceMerchantLosses(tx, await sumLosses(tx, today)));
  },
  tell_credit_answer: {
    queue: 'messages',
    async run({ customerId, id }, attempt) {
      const row = await findDecision(deps.db, customerId, id);
      const phone = row && (await findPhone(deps.db, customerId));
      if (!phone) return;
      const topic = { id: `${id}_answer`, purpose: 'credit', customerId } as const;
      await deps.find(messenger)!.deliver({ to: phone, text: TEXTS[row.outcome] }, topic, attempt);
    },
  },
});

const TEXTS = {
  approved: 'Semana: uma pessoa analisou o seu pedido e aprovou. Veja na carteira.',
  declined: 'Semana: uma pessoa analisou o seu pedido e não aprovou. Veja o motivo na carteira.',
  review: 'Semana: uma pessoa está analisando o seu pedido.',
};
