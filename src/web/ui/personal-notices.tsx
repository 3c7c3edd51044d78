import type { ComponentChildren, FunctionComponent } from 'preact';
import type { Fault } from '../server/face.ts';
import type { Page } from '../server/page.ts';
import type { Frame } from '../server/visit.ts';
import { LinkButton } from './buttons.tsx';
import type { PersonalPageProps } from './personal-layout.tsx';

/** What a page says when the service is away or failed; `kept`: what the visitor need not worry about. */
export const FaultBody = ({ away, address, kept }: Fault & { kept: string }) => (
  <>
    <h1>{away ? 'Estamos fora do ar no momento.' : 'Algo deu errado do nosso lado.'}</h1>
    <p class="lead">{kept} Espere um minuto e tente de novo.</p>
    <p class="actions">
      <LinkButton to={address}>Tentar de novo</LinkButton>
      <LinkButton quiet to="/contato">
        Falar com a gente
      </LinkButton>
    </p>
  </>
);

type Notice = { status: number; title: string; children: ComponentChildren };

/** Pages that stand for another one, in the frame of a face. */
export function noticesIn(PageOfFace: FunctionComponent<PersonalPageProps>) {
  const notice = (frame: Frame, { status, title, children }: Notice): Page => ({
    status,
    body: (
      <PageOfFace title={title} visit={{ ...frame, flash: undefined }} head={null} wrap="narrow notice">
        {children}
      </PageOfFace>
    ),
  });
  const brokenPage = (frame: Frame, { away, address }: Fault): Page =>
    notice(frame, {
      status: away ? 503 : 500,
      title: 'Algo deu errado',
      children: <FaultBody away={away} address={address} kept="Nada se perdeu e nada foi cobrado agora." />,
    });
  return { notice, brokenPage };
}
