import { defineProblem } from '#platform/problem.ts';

export const calendarRateLimited = defineProblem({
  code: 'calendar_too_often',
  status: 429,
  title: { en: 'The calendar is read too often', pt: 'O calendário é lido com frequência demais' },
  cause: 'A calendar may be read 30 times per hour.',
  remedy: 'Retry after the seconds in `Retry-After`, and read the calendar only every few hours.',
  detail: (seconds: string) => ({
    en: `Retry in ${seconds} seconds.`,
    pt: `Espere ${seconds} segundos.`,
    headers: { 'retry-after': seconds },
  }),
});
