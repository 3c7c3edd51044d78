import { defineSettings, InvalidValue } from '#platform/settings.ts';

const MIN_STEP = -7;
const MAX_STEP = 90;

export const notificationSettings = defineSettings({
  steps: {
    name: 'REMINDERS',
    description: {
      en: `days from the due day on which customers are reminded, ${MIN_STEP} to ${MAX_STEP}, e.g. -1,0,1; none disables reminders`,
      pt: `dias, a contar do vencimento, em que os clientes são lembrados, ${MIN_STEP} a ${MAX_STEP}, ex.: -1,0,1; none: ninguém é`,
    },
    default: '-1,0,1,3,7,15',
    parse: parseSteps,
  },
});

function parseSteps(value: string): number[] {
  if (value === 'none') return [];
  const days = value.split(',').map((word) => (/^\s*-?\d{1,2}\s*$/.test(word) ? Number(word) : Number.NaN));
  if (days.every((day) => day >= MIN_STEP && day <= MAX_STEP))
    return [...new Set(days)].toSorted((a, b) => a - b);
  throw new InvalidValue(
    `is '${value}'; write days from ${MIN_STEP} to ${MAX_STEP}, like -1,0,1,3, or none.`,
  );
}
