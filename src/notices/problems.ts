import { defineProblem } from '#platform/problem.ts';

export const calendarTooOften = defineProblem({
  code: 'calendar_too_often',
  status: 429,
  title: { en: 'The calendar is read too often', pt: 'O calendário é lido com frequência demais' },
  cause: 'A calendar may be read 30 times an hour.',
  remedy: 'Wait as long as `Retry-After` says, and read it every few hours.',
  detail: (seconds: string) => ({
    en: `Wait ${seconds} seconds.`,
    pt: `Espere ${seconds} segundos.`,
    headers: { 'retry-after': seconds },
  }),
});
