// A script that forgets to serve.
