import type { Fault } from '../server/face.ts';
import type { Page } from '../server/page.ts';
import { OfficeLayout } from './layout.tsx';
import type { OfficeVisit } from './visit.ts';

const notice = (visit: OfficeVisit, status: number, title: string, text: string): Page => ({
  status,
  body: (
    <OfficeLayout title={title} visit={visit}>
      <p>{text}</p>
      <p>
        <a href="/">Voltar para Hoje</a>
      </p>
    </OfficeLayout>
  ),
});

export const missingPage = (visit: OfficeVisit) =>
  notice(visit, 404, 'Não encontrado', 'Não há nada neste endereço, ou já não existe.');

export const forbiddenPage = (visit: OfficeVisit, why: string) =>
  notice(visit, 403, 'Seu papel não permite', why);

export const brokenPage = (visit: OfficeVisit, { away }: Fault) =>
  notice(
    visit,
    away ? 503 : 500,
    away ? 'O serviço não responde' : 'Algo deu errado',
    away ? 'Nada se perdeu. Espere um minuto e tente de novo.' : 'A falha foi registrada. Tente de novo.',
  );

/** For an address that cannot be decoded. */
export const plainMissingPage = (): Page => ({
  status: 400,
  type: 'text/plain; charset=utf-8',
  body: 'Este endereço não existe.',
});
