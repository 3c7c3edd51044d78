// Reads the QR code of an open offer with the camera, where the browser can: the button is hidden until then. Whatever address the QR
// code has, only its token is used.

type Detector = { detect(source: HTMLVideoElement): Promise<Array<{ rawValue: string }>> };
type DetectorClass = new (options: { formats: string[] }) => Detector;

const EVERY_MS = 200;
const TOKEN = /\/pagar\/([0-9A-Za-z]{22})\/?$/;

const button = document.querySelector<HTMLButtonElement>('[data-scan]');
const { BarcodeDetector } = globalThis as unknown as { BarcodeDetector?: DetectorClass };
// Only over https is there a camera.
if (button && BarcodeDetector && navigator.mediaDevices) {
  button.hidden = false;
  button.addEventListener('click', () => void scan(button, new BarcodeDetector({ formats: ['qr_code'] })));
}

async function scan(pressed: HTMLButtonElement, detector: Detector): Promise<void> {
  const video = document.querySelector<HTMLVideoElement>('video')!;
  const said = document.getElementById('camera')!;
  try {
    video.srcObject = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
    await video.play();
  } catch {
    said.textContent = 'Não deu para abrir a câmera. Digite o código que está na tela da loja.';
    return;
  }
  pressed.hidden = true;
  video.hidden = false;
  said.textContent = 'Aponte para o QR code da loja.';
  const look = async () => {
    const found = await detector.detect(video).catch(() => []);
    const token = found.map(({ rawValue }) => TOKEN.exec(rawValue)?.[1]).find(Boolean);
    if (!token) {
      if (found.length > 0) said.textContent = 'Este QR code não é de uma compra com a Semana.';
      setTimeout(() => void look(), EVERY_MS);
      return;
    }
    for (const track of (video.srcObject as MediaStream).getTracks()) track.stop();
    const field = document.querySelector<HTMLInputElement>('input[name=token]')!;
    field.value = token;
    field.form!.requestSubmit();
  };
  await look();
}
