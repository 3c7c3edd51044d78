const WALL_CLOCK = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'short',
  timeStyle: 'short',
});

/** Formats a timestamp for a terminal, in São Paulo time: '2026-11-15 09:30'. With --json commands print UTC. */
export const formatInstant = (timestamp: Date | string | null): string =>
  timestamp === null ? '-' : WALL_CLOCK.format(new Date(timestamp));
