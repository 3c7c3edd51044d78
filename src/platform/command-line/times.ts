import { saoPauloDay } from '#core/day.ts';

const WALL_CLOCK = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'short',
  timeStyle: 'short',
});

/** An instant for people at a terminal, in São Paulo's time: '2026-11-15 09:30'. With --json commands write UTC. */
export const shownInstant = (at: Date | string | null, none = '-'): string =>
  at === null ? none : WALL_CLOCK.format(new Date(at));

/** The day in São Paulo. */
export const shownDay = (at: Date | string | null): string =>
  at === null ? '-' : saoPauloDay(new Date(at).getTime());
