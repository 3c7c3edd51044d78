import type { ComponentChildren, FunctionComponent } from 'preact';
import type { Fault } from '../server/face.ts';
import type { Page } from '../server/page.ts';
import type { Frame } from '../server/visit.ts';
import { LinkButton, QuietLink } from './buttons.tsx';
import type { PersonalPageProps } from './personal-layout.tsx';

type Way = { to: string; text: string };

/** What stands for a page: what happened, and two ways to go on. */
export type Notice = {
  status?: number;
  title: string;
  code?: string;
  heading: string;
  lead: ComponentChildren;
  ways: [Way, Way];
};

export const NoticeBody = ({
  code,
  heading,
  lead,
  ways: [best, other],
}: Omit<Notice, 'status' | 'title'>) => (
  <>
    {code && <p class="notice-code">{code}</p>}
    <h1>{heading}</h1>
    <p class="lead">{lead}</p>
    <p class="actions">
      <LinkButton to={best.to}>{best.text}</LinkButton>
      <QuietLink to={other.to}>{other.text}</QuietLink>
    </p>
  </>
);

/** The service is away or failed; `kept`: what the visitor need not worry about. */
export const faultNotice = ({ away, address }: Fault, kept: string): Notice => ({
  status: away ? 503 : 500,
  title: 'Algo deu errado',
  heading: away ? 'Estamos fora do ar no momento.' : 'Algo deu errado do nosso lado.',
  lead: `${kept} Espere um minuto e tente de novo.`,
  ways: [
    { to: address, text: 'Tentar de novo' },
    { to: '/contato', text: 'Falar com a gente' },
  ],
});

/** Notices in the frame of a face. */
export function noticesIn(PageOfFace: FunctionComponent<PersonalPageProps>) {
  const notice = (frame: Frame, { status = 404, title, ...said }: Notice): Page => ({
    status,
    body: (
      <PageOfFace title={title} visit={{ ...frame, flash: undefined }} head={null} wrap="narrow notice">
        <NoticeBody {...said} />
      </PageOfFace>
    ),
  });
  const brokenPage = (frame: Frame, fault: Fault): Page =>
    notice(frame, faultNotice(fault, 'Nada se perdeu e nada foi cobrado agora.'));
  return { notice, brokenPage };
}
