"""What tests share, imported as `support.NAME` from any test: fakes, servers, vaults, repositories, model files."""
