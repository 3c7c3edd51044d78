import { type Cents, cents } from '#core/values/money.ts';
import { defineSettings, reais, type SettingsOf } from '#platform/settings.ts';

export const approvalSettings = defineSettings({
  fourEyesCents: {
    name: 'FOUR_EYES_AMOUNT',
    description: {
      en: 'amount in reais above which refunds of orphan payments, write-offs, cashback adjustments, payouts and limits require a second person; so does every change of a payout account and of the credit policy; 0 or off: no action requires a second person; required in live',
      pt: 'em reais; acima dele, estornos de pagamentos sem dono, baixas por perda, ajustes de cashback, repasses e limites esperam uma segunda pessoa, e toda troca de conta de repasse também; 0 ou off: nada espera; obrigatório em produção',
    },
    default: { sandbox: '0.00' },
    requiredInLive: 'set the amount in reais above which actions on money require a second person, or off',
    parse: (text: string): Cents => (text === 'off' ? cents(0) : reais(text)),
  },
});

export type ApprovalSettings = SettingsOf<typeof approvalSettings>;
