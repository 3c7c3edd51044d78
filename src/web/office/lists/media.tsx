import { listScreen } from '../list.tsx';
import { Code, moment, number } from '../parts.tsx';

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
    number('Bytes', 'size'),
    { title: 'Usos', isNumber: true, show: ({ uses }) => uses },
    moment('Enviada', 'uploaded_at'),
  ],
  actions: [{ href: '/imagens/nova', text: 'Enviar imagem', call: 'addMedia' }],
});
