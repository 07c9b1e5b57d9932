import { render } from 'preact';

render(<p>Recollect</p>, document.body);
