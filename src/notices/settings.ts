import { defineSettings, WrongValue } from '#platform/settings.ts';

const FIRST = -7;
const LAST = 90;

export const noticesSettings = defineSettings({
  steps: {
    name: 'REMINDERS',
    meaning: {
      en: `days from the due day on which customers are reminded, ${FIRST} to ${LAST}, e.g. -1,0,1; none: nobody is`,
      pt: `dias, a contar do vencimento, em que os clientes são lembrados, ${FIRST} a ${LAST}, ex.: -1,0,1; none: ninguém é`,
    },
    default: '-1,0,1,3,7,15',
    read: steps,
  },
});

function steps(given: string): number[] {
  if (given === 'none') return [];
  const days = given.split(',').map((word) => (/^\s*-?\d{1,2}\s*$/.test(word) ? Number(word) : Number.NaN));
  if (days.every((day) => day >= FIRST && day <= LAST)) return [...new Set(days)].toSorted((a, b) => a - b);
  throw new WrongValue(`is '${given}'; write days from ${FIRST} to ${LAST}, like -1,0,1,3, or none.`);
}
