// Sends the form that uses the link up: programs that only look at links run no script.
document.getElementById('sign-in').requestSubmit();
