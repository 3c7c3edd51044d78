import type { ComponentChildren, FunctionComponent } from 'preact';
import type { Fault } from '../server/face.ts';
import type { Page } from '../server/page.ts';
import type { Frame } from '../server/visit.ts';

type Notice = { status: number; title: string; children: ComponentChildren };
type Layout = FunctionComponent<{ title: string; visit: Frame; children: ComponentChildren }>;

/** Pages that stand for another one, in the layout of a face. */
export function noticesIn(Layout: Layout) {
  const notice = (frame: Frame, { status, title, children }: Notice): Page => ({
    status,
    body: (
      <Layout title={title} visit={{ ...frame, flash: undefined }}>
        <div class="wrap narrow notice">{children}</div>
      </Layout>
    ),
  });
  const brokenPage = (frame: Frame, { away, address }: Fault): Page =>
    notice(frame, {
      status: away ? 503 : 500,
      title: 'Algo deu errado',
      children: (
        <>
          <h1>{away ? 'Estamos fora do ar no momento.' : 'Algo deu errado do nosso lado.'}</h1>
          <p class="lead">Nada se perdeu e nada foi cobrado agora. Espere um minuto e tente de novo.</p>
          <p class="actions">
            <a class="button" href={address}>
              Tentar de novo
            </a>
            <a class="button quiet" href="/contato">
              Falar com a gente
            </a>
          </p>
        </>
      ),
    });
  return { notice, brokenPage };
}
