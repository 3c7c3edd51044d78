// Scans the QR code of an offer with the camera. The button is rendered hidden, and shown only if the browser can detect QR codes.
// Only the token at the end of the URL in the QR code is used: any host is accepted.

type Detector = { detect(source: HTMLVideoElement): Promise<Array<{ rawValue: string }>> };
type DetectorClass = new (options: { formats: string[] }) => Detector;

const SCAN_INTERVAL_MS = 200;
const TOKEN_PATTERN = /\/pagar\/([0-9A-Za-z]{22})\/?$/;

const button = document.querySelector<HTMLButtonElement>('[data-scan]');
const { BarcodeDetector } = globalThis as unknown as { BarcodeDetector?: DetectorClass };
// Browsers give access to the camera only over https.
if (button && BarcodeDetector && navigator.mediaDevices) {
  button.hidden = false;
  button.addEventListener('click', () => void scan(button, new BarcodeDetector({ formats: ['qr_code'] })));
}

async function scan(scanButton: HTMLButtonElement, detector: Detector): Promise<void> {
  const video = document.querySelector<HTMLVideoElement>('video')!;
  const statusElement = document.getElementById('camera')!;
  try {
    video.srcObject = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
    await video.play();
  } catch {
    statusElement.textContent = 'Não deu para abrir a câmera. Digite o código que está na tela da loja.';
    return;
  }
  scanButton.hidden = true;
  video.hidden = false;
  statusElement.textContent = 'Aponte para o QR code da loja.';
  const scanFrames = async () => {
    const codes = await detector.detect(video).catch(() => []);
    const token = codes.map(({ rawValue }) => TOKEN_PATTERN.exec(rawValue)?.[1]).find(Boolean);
    if (!token) {
      if (codes.length > 0) statusElement.textContent = 'Este QR code não é de uma compra com a Semana.';
      setTimeout(() => void scanFrames(), SCAN_INTERVAL_MS);
      return;
    }
    for (const track of (video.srcObject as MediaStream).getTracks()) track.stop();
    const field = document.querySelector<HTMLInputElement>('input[name=token]')!;
    field.value = token;
    field.form!.requestSubmit();
  };
  await scanFrames();
}
