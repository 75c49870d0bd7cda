import { open_page } from './page';
import './style.css';

function start(): void {
  const element = document.getElementById('semirec-report');
  open_page(element?.textContent ?? '');
}

// the results stand behind the script, so that a file that was cut short still opens
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start);
else start();
