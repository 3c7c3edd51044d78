import { defineSettings, reais, type SettingsOf } from '#platform/settings.ts';

export const approvalSettings = defineSettings({
  fourEyesCents: {
    name: 'FOUR_EYES_AMOUNT',
    meaning: {
      en: 'in reais; refunds of orphans, write-offs, adjustments of cashback, payouts and limits over it, and any change of a payout account, wait for a second person; 0: nothing waits',
      pt: 'em reais; acima dele, estornos de pagamentos sem dono, baixas por perda, ajustes de cashback, repasses e limites esperam uma segunda pessoa, e toda troca de conta de repasse também; 0: nada espera',
    },
    default: '0.00',
    read: reais,
  },
});

export type ApprovalSettings = SettingsOf<typeof approvalSettings>;
