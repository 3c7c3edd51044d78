import { count } from '../../ui/format.ts';
import { listScreen } from '../list.tsx';
import { Code, When } from '../parts.tsx';

export const media = listScreen({
  path: '/imagens',
  title: 'Imagens',
  call: 'listMedia',
  filters: [{ name: 'unused', label: 'Sem uso', choices: { true: 'Sim' } }],
  columns: [
    {
      title: 'Imagem',
      show: ({ url, width, height }) => (
        <img class="office-thumb" src={url} alt="" width={width ?? 48} height={height ?? 48} loading="lazy" />
      ),
    },
    { title: 'Endereço', show: ({ url }) => <Code>{url}</Code> },
    { title: 'Bytes', isNumber: true, show: ({ size }) => count(size) },
    { title: 'Usos', isNumber: true, show: ({ uses }) => uses },
    { title: 'Enviada', show: ({ uploaded_at }) => <When at={uploaded_at} /> },
  ],
  actions: [{ href: '/imagens/nova', text: 'Enviar imagem', call: 'addMedia' }],
});
