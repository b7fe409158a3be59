from serving import serve_engine, served

__all__ = ["serve_engine", "served"]
